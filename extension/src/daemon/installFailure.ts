import * as vscode from 'vscode';
import { DaemonError } from './connection';

/** What was being done when an installation failed. */
export type InstallStep = 'environment' | 'download' | 'check';

/** Why the daemon could not be installed: one sentence that says what to do. */
export class InstallError extends DaemonError {}

/** Reads the reason from what `venv`, `pip` or the file system said; `output` is shown to no one but in the log. */
export function installFailure(step: InstallStep, output: string): InstallError {
  return new InstallError(sentence(step, output));
}

function sentence(step: InstallStep, output: string): string {
  if (/No space left on device|ENOSPC|not enough space|Disk quota exceeded|EDQUOT/i.test(output)) {
    return vscode.l10n.t('The disk is full: free some space (the daemon needs about 400 MB), then retry.');
  }
  if (/externally-managed-environment/.test(output)) {
    return vscode.l10n.t(
      'This Python belongs to the system and takes no packages: let Scopelight use an environment of its own, or choose the interpreter of a virtual environment.',
    );
  }
  if (/CERTIFICATE_VERIFY_FAILED|SSLError|certificate verify failed/i.test(output)) {
    return vscode.l10n.t(
      'The certificate of the package index was not accepted: name that of your proxy in PIP_CERT or with "pip config set global.cert", then retry.',
    );
  }
  if (UNREACHABLE.test(output)) {
    return vscode.l10n.t(
      'The package index could not be reached: check the network, or name a mirror in PIP_INDEX_URL or with "pip config set global.index-url", then retry.',
    );
  }
  if (/Permission denied|EACCES|EPERM|EROFS|Read-only file system/i.test(output)) {
    return vscode.l10n.t(
      'The folder of the daemon cannot be written to: check its permissions (see the log), then retry.',
    );
  }
  const unavailable = /No matching distribution found for ([^\s;]+)/.exec(output);
  if (unavailable?.[1] !== undefined) {
    return vscode.l10n.t(
      'The package index has no {0} for this Python and this machine: choose another Python from 3.11 to 3.14 in the setting scopelight.interpreter, then retry.',
      unavailable[1],
    );
  }
  return {
    environment: vscode.l10n.t('The environment of the daemon could not be made: the log says why.'),
    download: vscode.l10n.t('pip could not install the daemon: the log says why.'),
    check: vscode.l10n.t('The daemon was installed but does not start: the log says why.'),
  }[step];
}

// The words of pip and of the libraries under it for an index that does not answer.
const UNREACHABLE = new RegExp(
  [
    'Temporary failure in name resolution',
    'Name or service not known',
    'nodename nor servname',
    'getaddrinfo failed',
    'Failed to establish a new connection',
    'NewConnectionError',
    'ConnectTimeoutError',
    'ReadTimeoutError',
    'Connection refused',
    'Network is unreachable',
    'ProxyError',
    'Connection broken',
    'RemoteDisconnected',
    'Max retries exceeded',
    'ConnectionResetError',
  ].join('|'),
  'i',
);
