"""A policy gradient on a small environment of NumPy, which acts step by step."""

import jax
import jax.numpy as jnp
import numpy as np

LENGTH = 20


class Corridor:
    """Walks left or right; the goal is at one end."""

    def reset(self):
        self.at = 0
        return np.array([self.at / 10, 1.0], np.float32)

    def step(self, action):
        self.at += 1 if action == 1 else -1
        return np.array([self.at / 10, 1.0], np.float32), float(self.at)


@jax.jit
def act(params, state, key):
    return jax.random.categorical(key, jnp.tanh(state @ params["w1"]) @ params["w2"])


@jax.jit
def update(params, states, actions, returns):
    def loss_fn(params):
        logits = jax.nn.log_softmax(jnp.tanh(states @ params["w1"]) @ params["w2"])
        return -jnp.mean(logits[jnp.arange(LENGTH), actions] * returns)

    return jax.tree.map(lambda p, g: p - 0.05 * g, params, jax.grad(loss_fn)(params))


rng = np.random.default_rng(0)
params = {"w1": jnp.asarray(rng.normal(size=(2, 32)), jnp.float32), "w2": jnp.zeros((32, 2))}
env, key = Corridor(), jax.random.key(0)
for episode in range(30):
    states, actions, rewards = [], [], []
    state = env.reset()
    for _ in range(LENGTH):
        key, subkey = jax.random.split(key)
        action = int(act(params, state, subkey))
        states.append(state)
        actions.append(action)
        state, reward = env.step(action)
        rewards.append(reward)
    returns = np.cumsum(rewards[::-1])[::-1]
    params = update(params, np.stack(states), np.array(actions), (returns - returns.mean()) / 50)
    if episode % 10 == 0:
        print(episode, sum(rewards))
