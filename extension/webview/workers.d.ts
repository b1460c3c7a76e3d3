// The script of a worker as a text: bundled by extension/scripts/workers_as_text.mjs.

declare module 'worker:*' {
  const script: string;
  export default script;
}
