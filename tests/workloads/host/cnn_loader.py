"""A small CNN whose loader, in Python, takes most of every step: each image is cropped, flipped and normalized."""

import jax
import jax.numpy as jnp
import numpy as np
import truth_clock

IMAGES = 128
SIZE = 28


def convolved(x, kernel):
    return jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def max_pool(x):
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")  # line: pool


def loss_of(parameters, images, labels):
    x = max_pool(jax.nn.relu(convolved(images, parameters["first"])))
    x = max_pool(jax.nn.relu(convolved(x, parameters["second"])))
    logits = x.reshape(len(images), -1) @ parameters["dense"]
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * jax.nn.one_hot(labels, 10), axis=-1))


@jax.jit
def train_step(parameters, images, labels):
    loss, gradients = jax.value_and_grad(loss_of)(parameters, images, labels)
    return jax.tree.map(lambda value, gradient: value - 0.01 * gradient, parameters, gradients), loss


def start():
    first, second, dense = jax.random.split(jax.random.key(0), 3)
    return {
        "first": jax.random.normal(first, (3, 3, 3, 4)) * 0.1,
        "second": jax.random.normal(second, (3, 3, 4, 6)) * 0.1,
        "dense": jax.random.normal(dense, ((SIZE // 4) ** 2 * 6, 10)) * 0.01,
    }


def load_image(generator, pixels):
    top, left = generator.integers(0, pixels.shape[0] - SIZE, 2)
    image = pixels[top : top + SIZE, left : left + SIZE].astype(np.float32)  # line: crop
    if top % 2:
        image = image[:, ::-1]
    image = (image / np.float32(255.0)) ** np.float32(generator.uniform(0.8, 1.2))  # line: gamma
    noise = generator.standard_normal(image.shape, dtype=np.float32)  # line: noise
    image = image + noise * np.float32(0.1)
    return (image - image.mean(axis=(0, 1))) / (image.std(axis=(0, 1)) + np.float32(1e-6))  # line: normalize


def load_batch(generator, stored, labels):
    images = []
    for pixels in stored:
        images.append(load_image(generator, pixels))  # line: image
    return np.stack(images), labels  # line: stack


def train(steps):
    generator = np.random.default_rng(0)
    stored = generator.integers(0, 255, (IMAGES, 40, 40, 3), dtype=np.uint8)
    labels = generator.integers(0, 10, IMAGES)
    parameters = start()
    for step, _ in enumerate(steps):
        images, wanted = load_batch(generator, stored, labels)  # line: load
        parameters, loss = train_step(parameters, images, wanted)  # line: step
        loss.block_until_ready()  # line: wait
        if step % 20 == 0:
            print(f"step {step} loss {loss:.4f}")


if __name__ == "__main__":
    truth_clock.watch(load_image, load_batch, train)
    train(truth_clock.steps(400))
