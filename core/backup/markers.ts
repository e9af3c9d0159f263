import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BadSetting } from '#core/config.ts'

/** Folder in DATA_DIR to which a restore writes all parts before it moves them to DATA_DIR. */
export const STAGE = 'restoring'
/** File in DATA_DIR that says that the community was moved to PostgreSQL. */
export const MOVED = 'moved'

/** Throws BadSetting where a restore to the folder was interrupted: the community is incomplete. */
export function assertNotRestoring(folder: string) {
  if (existsSync(join(folder, STAGE)))
    throw new BadSetting(
      'DATA_DIR holds a restore that was broken off: run `engawa restore` again, ' +
        `or remove ${join(folder, STAGE)}.`,
    )
}

/** Throws BadSetting where the community of the folder was moved: the folder holds its old state. */
export function assertNotMoved(folder: string) {
  if (existsSync(join(folder, MOVED)))
    throw new BadSetting(
      `DATA_DIR was moved: set DATABASE_URL, or remove ${join(folder, MOVED)} ` +
        'to go on with what stayed there.',
    )
}
