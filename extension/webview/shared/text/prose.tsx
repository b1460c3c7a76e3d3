// Sentences of the daemon, which have code between backticks.

/** A sentence as it is read: what stands between backticks is code. A backtick alone is one. */
export function Prose(props: { readonly text: string }) {
  return (
    <>
      {props.text
        .split(/(`[^`]+`)/)
        .map((part, position) => (position % 2 === 1 ? <code key={position}>{part.slice(1, -1)}</code> : part))}
    </>
  );
}
