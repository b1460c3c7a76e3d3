import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['extension/dist/**', 'extension/src/protocol.ts', 'node_modules/**', '**/*.mjs'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['extension/tsconfig.json', 'extension/webview/tsconfig.json', 'tests/extension/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      eqeqeq: 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // A page imports the protocol's types only; the host and the page meet in messages.
      'max-lines': ['error', 700],
    },
  },
  {
    files: ['extension/**'],
    rules: {
      'max-lines': ['error', 500],
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.object.name='Math'] > SpreadElement",
          message: 'As many arguments as a profile has rows overflow the stack: use `greatest`.',
        },
      ],
    },
  },
);
