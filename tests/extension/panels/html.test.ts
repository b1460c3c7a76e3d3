import { describe, expect, test } from 'vitest';
import { Uri } from 'vscode';
import { pageHtml } from '../../../extension/src/panels/html';

const source = {
  cspSource: 'https://*.vscode-cdn.net',
  asWebviewUri: (uri: Uri) => uri,
} as never;

function html(texts: unknown = {}): string {
  return pageHtml(source, {
    panel: 'hotLines',
    place: 'editor',
    title: 'Hot <Lines>',
    path: null,
    language: 'en',
    texts,
    file: (name) => Uri.file(`/dist/${name}`),
  });
}

function policy(document: string): Record<string, string> {
  const content = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(document)?.[1] ?? '';
  const rules = content
    .replaceAll('&#39;', "'")
    .split('; ')
    .map((rule) => rule.split(' '));
  return Object.fromEntries(rules.map(([name = '', ...values]) => [name, values.join(' ')]));
}

describe("the document of a panel's page", () => {
  test('allows nothing inline and nothing from elsewhere, but workers of its own making', () => {
    const rules = policy(html());
    expect(rules['default-src']).toBe("'none'");
    expect(rules['script-src']).toMatch(/^'nonce-[A-Za-z0-9+/]{22}=='$/);
    expect(rules['worker-src']).toBe('blob:');
    expect(Object.values(rules).join(' ')).not.toMatch(/unsafe|\*(?!\.vscode-cdn\.net)/);
    expect(html()).not.toMatch(/ on\w+=| style=/);
  });

  test('has a nonce of its own each time, that its script carries', () => {
    const [first, second] = [html(), html()];
    expect(policy(first)['script-src']).not.toBe(policy(second)['script-src']);
    const nonce = /<script nonce="([^"]+)"/.exec(first)?.[1];
    expect(policy(first)['script-src']).toBe(`'nonce-${nonce ?? ''}'`);
  });

  test('cannot be broken out of by texts', () => {
    const document = html({ Share: '"></div><script>alert(1)</script>' });
    expect(document.match(/<script/g)).toHaveLength(1);
    expect(document).toContain('<title>Hot &lt;Lines&gt;</title>');
  });
});
