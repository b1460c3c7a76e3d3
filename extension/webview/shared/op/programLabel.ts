// What a program is called in a list of programs.

interface Named {
  readonly name: string;
  readonly program_id: string;
}

/** Its name, with its id where several have that name. */
export function programLabel({ name, program_id: id }: Named, all: readonly Named[]): string {
  const isAlone = all.filter((each) => each.name === name).length < 2;
  return isAlone || id === '' ? name : `${name} (${id})`;
}
