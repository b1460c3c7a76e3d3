// Writes what lists panels from their manifests, extension/webview/panels/NAME/panel.ts: extension/src/panels/registry.ts,
// and the panels' commands, menus, views, editors and titles in package.json and package.nls.json. With --check it only
// says whether one of them is stale.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const extension = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const root = path.dirname(extension);
const folder = path.join(extension, 'webview/panels');
/** Texts of package.nls.json of which what is generated in package.json is told apart. */
const GENERATED = /^%?panel\./;

/** The manifests of all panels by id, the name of their folder, in the order of menus. */
export async function readManifests() {
  const ids = readdirSync(folder).filter((id) => existsSync(path.join(folder, id, 'panel.ts')));
  const contents = ids.map((id) => `export { panel as ${id} } from './${id}/panel';`).join('\n');
  const bundled = await build({ stdin: { contents, resolveDir: folder }, bundle: true, write: false, format: 'esm' });
  const code = Buffer.from(bundled.outputFiles[0].contents).toString('base64');
  const manifests = Object.entries(await import(`data:text/javascript;base64,${code}`));
  manifests.sort(([, one], [, other]) => one.order - other.order);
  for (const [position, [id, { order }]] of manifests.entries()) {
    if (order === manifests[position + 1]?.[1].order) {
      throw new Error(`The panels ${id} and ${manifests[position + 1][0]} have the same order, ${order}.`);
    }
  }
  return new Map(manifests);
}

function registry(ids) {
  const imports = [...ids].sort().map((id) => `import { panel as ${id} } from '../../webview/panels/${id}/panel';\n`);
  return `// Generated from extension/webview/panels/*/panel.ts by extension/scripts/generate_panels.mjs: do not edit.

${imports.join('')}
/** The manifests of all panels by id, the name of their folder, in the order of menus. */
export const panels = {
${ids.map((id) => `  ${id},\n`).join('')}};

export type PanelId = keyof typeof panels;
`;
}

const openCommand = (id) => `scopelight.open${id.charAt(0).toUpperCase()}${id.slice(1)}`;

/** The manifest of the extension with what is generated of it made anew, each in the place where it was. */
function extensionManifest(text, manifests) {
  const manifest = JSON.parse(text);
  const { contributes } = manifest;
  const panels = [...manifests].map(([id, panel]) => ({ id, command: openCommand(id), ...panel }));
  const generated = contributes.commands.filter(({ title }) => GENERATED.test(title)).map(({ command }) => command);
  const isGenerated = ({ command }) => generated.includes(command);
  const isShown = 'scopelight.hasShownRun';

  contributes.commands = replaced(
    contributes.commands,
    isGenerated,
    panels.map(({ id, command, icon, commandIcon = icon }) => ({
      command,
      title: `%panel.${id}.open%`,
      category: '%command.category%',
      icon: `$(${commandIcon})`,
    })),
  );
  const menus = {
    commandPalette: panels.map(({ command }) => ({ command, when: isShown })),
    'editor/context': panels
      .filter(({ isInTextMenu }) => isInTextMenu)
      .map(({ id, command }) => ({
        command,
        when: `editorLangId == python && ${isShown} && !scopelight.shownRunLacks.${id}`,
        group: 'z_scopelight@2',
      })),
    // A panel of the side bar leads to its tab, and to the other panels.
    'view/title': panels
      .filter(({ isInSideBar }) => isInSideBar)
      .flatMap(({ id }) => {
        const when = `view == scopelight.${id} && ${isShown}`;
        const others = panels.filter((other) => other.id !== id);
        return [
          { command: openCommand(id), when, group: 'navigation@1' },
          ...others.map(({ command }, position) => ({ command, when, group: `2_panels@${position + 1}` })),
        ];
      }),
  };
  for (const [menu, entries] of Object.entries(menus)) {
    contributes.menus[menu] = replaced(contributes.menus[menu], isGenerated, entries);
  }
  contributes.views.scopelight = replaced(
    contributes.views.scopelight,
    ({ name }) => GENERATED.test(name),
    panels
      .filter(({ isInSideBar }) => isInSideBar)
      .map(({ id }) => ({
        id: `scopelight.${id}`,
        type: 'webview',
        name: `%panel.${id}.title%`,
        icon: 'media/activity-bar.svg',
        contextualTitle: '%container.title%',
        initialSize: 2,
        // Together with the view of runs, for the editor gives a view that comes later no more than its least height.
        // Before, another says what one gets.
        when: 'scopelight.hasRuns || scopelight.hasOpenedProfiles || scopelight.hasShownRun',
      })),
  );
  contributes.customEditors = replaced(
    contributes.customEditors,
    ({ displayName }) => GENERATED.test(displayName),
    panels
      .filter(({ fileEditor }) => fileEditor)
      .map(({ id, fileEditor: { viewType, patterns, priority } }) => ({
        viewType,
        displayName: `%panel.${id}.editor%`,
        selector: patterns.map((filenamePattern) => ({ filenamePattern })),
        priority,
      })),
  );
  return json(manifest);
}

function texts(text, manifests) {
  const made = [...manifests].flatMap(([id, { title, isInSideBar, fileEditor }]) => [
    [`panel.${id}.open`, `Open ${title()}`],
    ...(isInSideBar ? [[`panel.${id}.title`, title()]] : []),
    ...(fileEditor ? [[`panel.${id}.editor`, fileEditor.displayName]] : []),
  ]);
  return json(Object.fromEntries(replaced(Object.entries(JSON.parse(text)), ([key]) => GENERATED.test(key), made)));
}

/** A list whose old entries gave way to new ones: where the first of them was, else at the end. */
function replaced(list, isOld, entries) {
  const first = list.findIndex(isOld);
  const at = first < 0 ? list.length : first;
  return [...list.slice(0, at), ...entries, ...list.slice(at).filter((each) => !isOld(each))];
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Writes what is stale; with `checksOnly` it throws then. */
async function generate(checksOnly) {
  const manifests = await readManifests();
  const files = {
    'extension/src/panels/registry.ts': () => registry([...manifests.keys()]),
    'package.json': (text) => extensionManifest(text, manifests),
    'package.nls.json': (text) => texts(text, manifests),
  };
  for (const [file, make] of Object.entries(files)) {
    const place = path.join(root, file);
    const before = existsSync(place) ? readFileSync(place, 'utf8') : '';
    const after = make(before);
    if (after !== before && checksOnly) {
      throw new Error(`${file} is stale: run 'npm run panels' and commit it.`);
    }
    if (after !== before) {
      writeFileSync(place, after);
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await generate(process.argv.includes('--check'));
}
