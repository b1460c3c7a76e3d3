// Keys are told apart and compared, never made or taken apart.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const WEBVIEW = path.resolve(import.meta.dirname, '../../../extension/webview');

/** A key that is split, matched or cut, or one of a selection that is put together. */
const TAKEN_APART = [
  /(?<!event\??)\.?\b(?:op_key|key)\)?\??\.(?:split|match|matchAll|replace|replaceAll|startsWith|endsWith|includes|slice|substring|indexOf|search)\(/u,
  /\.(?:exec|test)\((?:\w+\.)?(?:op_key|key)\)/u,
  /kind: 'op',\s*key: `/u,
];

const isTakenApart = (text: string): boolean => TAKEN_APART.some((pattern) => pattern.test(text));

test('finds what would take a key apart', () => {
  expect(isTakenApart("row.key.split('/')")).toBe(true);
  expect(isTakenApart('/^program:/.exec(key)')).toBe(true);
  expect(isTakenApart("{ kind: 'op', key: `${program}/${name}` }")).toBe(true);
  expect(isTakenApart('event.key.toLowerCase()')).toBe(false);
});

test('no page does', () => {
  const files = readdirSync(WEBVIEW, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/u.test(file));
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => isTakenApart(readFileSync(path.join(WEBVIEW, file), 'utf8')))).toEqual([]);
});
