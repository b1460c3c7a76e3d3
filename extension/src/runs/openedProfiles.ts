import * as vscode from 'vscode';
import { Observable } from '../observable';
import type { OpenedProfile, Remembered } from '../remembered';

/** As many as are listed; the one that was opened longest ago gives way. */
const MOST_PROFILES = 20;

/** Profiles that were opened in this workspace without being runs of it, the latest first. */
export class OpenedProfiles extends Observable {
  constructor(private readonly remembered: Remembered) {
    super();
    this.tellContext();
  }

  get all(): readonly OpenedProfile[] {
    return this.remembered.openedProfiles;
  }

  /** Puts a profile first in the list. */
  async add(path: string): Promise<void> {
    const others = this.all.filter((each) => each.path !== path);
    await this.set([{ path, opened: new Date().toISOString() }, ...others].slice(0, MOST_PROFILES));
  }

  /** Takes a profile from the list; its files stay. */
  async remove(path: string): Promise<void> {
    await this.set(this.all.filter((each) => each.path !== path));
  }

  private async set(profiles: readonly OpenedProfile[]): Promise<void> {
    await this.remembered.setOpenedProfiles(profiles);
    this.tellContext();
    this.changed.fire();
  }

  private tellContext(): void {
    void vscode.commands.executeCommand('setContext', 'scopelight.hasOpenedProfiles', this.all.length > 0);
  }
}
