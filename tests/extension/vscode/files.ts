// Stands for names of files, and for what can be wrong with one.

export class Uri {
  static file(path: string): Uri {
    return new Uri('file', path);
  }

  static parse(text: string): Uri {
    const parsed = new URL(text);
    const query = decodeURIComponent(parsed.search.slice(1));
    return new Uri(parsed.protocol.slice(0, -1), decodeURIComponent(parsed.pathname), query);
  }

  static from({ scheme, path, query = '' }: { scheme: string; path: string; query?: string }): Uri {
    return new Uri(scheme, path, query);
  }

  static joinPath(base: Uri, ...parts: string[]): Uri {
    return new Uri(base.scheme, [base.path.replace(/\/$/, ''), ...parts].join('/'));
  }

  private constructor(
    readonly scheme: string,
    readonly path: string,
    readonly query = '',
  ) {}

  readonly authority = '';
  readonly fragment = '';

  get fsPath(): string {
    return this.path;
  }

  with(change: { scheme?: string; path?: string }): Uri {
    return new Uri(change.scheme ?? this.scheme, change.path ?? this.path, this.query);
  }

  toString(): string {
    const query = this.query === '' ? '' : `?${encodeURIComponent(this.query)}`;
    return `${this.scheme}://${encodeURI(this.path)}${query}`;
  }
}

export class RelativePattern {
  constructor(
    readonly base: unknown,
    readonly pattern: string,
  ) {}
}

export const FileType = { Unknown: 0, File: 1, Directory: 2 } as const;
export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 } as const;

export class FileSystemError extends Error {
  static FileNotFound(uri: Uri): FileSystemError {
    return new FileSystemError(`There is no ${uri.toString()}.`);
  }

  static NoPermissions(uri: Uri): FileSystemError {
    return new FileSystemError(`${uri.toString()} may not be written.`);
  }
}
