import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { migrations } from '#app.ts'
import { makeBackup } from '#core/backup/backup.ts'
import { begin, carryOut } from '#core/backup/nightly.ts'
import { move, restore } from '#core/backup/restore.ts'
import { BadSetting, readSettings } from '#core/config.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { closeStorage, openStorage } from '#core/media/storage.ts'
import { ownSecrets } from '#core/secrets.ts'
import { type Command, inCommunity, refuseEmptyFolder } from './community.ts'

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string
}

export const backupCommands: Record<string, Command> = {
  backup: {
    takes: '[FOLDER]',
    says: 'saves everything in a new folder of FOLDER (or BACKUP_DIR), and proves it',
    run: (folder, { begun }) =>
      inCommunity(async ({ db, config }) => {
        const id = typeof begun === 'string' ? Number(begun) : (await begin(db))!
        const store = await openStorage(config)
        const origin = {
          database: config.DATABASE_URL ? { db } : { file: join(config.DATA_DIR, 'engawa.db') },
          store,
          secrets: ownSecrets(config),
          lists: migrations,
          version,
        }
        const { place, rows, files, bytes, missing } = await carryOut(db, id, () =>
          makeBackup(origin, folder ? resolve(folder) : config.BACKUP_DIR),
        ).finally(() => closeStorage(store))
        const lost = missing.length
          ? `\nPictures that were not there any more: ${missing.length} (named in backup.json).`
          : ''
        return `The backup is in ${place}\nIt was restored beside itself and compared: ${rows} rows, ${files} pictures, ${size(bytes)}.${lost}`
      }),
  },
  restore: {
    takes: 'BACKUP',
    flags: ['overwrite'],
    says: 'puts a backup where DATA_DIR, DATABASE_URL and MEDIA_URL say; the server has to be stopped',
    run: async (backup, { overwrite }) => {
      const home = await openHome()
      try {
        const { facts, aside } = await restore(resolve(backup!), home, migrations, overwrite === true)
        const moved = aside ? `\nWhat was there before is in ${aside}` : ''
        return `The backup of ${facts.made_at} is restored: ${rowsOf(facts)} rows, ${facts.pictures.files} pictures.${moved}\nStart the server now.`
      } finally {
        await home.close()
      }
    },
  },
  move: {
    says: 'carries the community of DATA_DIR to DATABASE_URL and, where it is set, MEDIA_URL',
    run: async () => {
      refuseEmptyFolder()
      const { DATA_DIR } = readSettings()
      const home = await openHome()
      try {
        if (!home.db)
          throw new BadSetting(
            'DATABASE_URL takes the database to move to: postgres://user:password@host:port/database.',
          )
        const pictures = home.store && {
          from: await openStorage({ DATA_DIR, MEDIA_URL: undefined, AWS_REGION: undefined }),
          to: home.store,
        }
        const { rows, carried, there, missing } = await move(DATA_DIR, home.db, migrations, pictures)
        const also = pictures ? ` and ${carried + there} pictures` : ''
        const lost = missing.length ? `\nPictures that were not there any more: ${missing.join(', ')}` : ''
        return [
          `${rows} rows${also} are at their new place, compared with those in ${DATA_DIR}, which stays as it is.${lost}`,
          `From now on, start the server with the same ${pictures ? 'DATABASE_URL and MEDIA_URL' : 'DATABASE_URL'}, and the same DATA_DIR.`,
        ].join('\n')
      } finally {
        await home.close()
      }
    },
  },
}

/** Where the settings want a community to be; nothing is made there yet. */
async function openHome() {
  const settings = readSettings()
  const { DATA_DIR, DATABASE_URL, MEDIA_URL } = settings
  const database = DATABASE_URL ? await openPostgres(DATABASE_URL, { patient: true }) : null
  const store = MEDIA_URL ? await openStorage(settings) : null
  return {
    folder: DATA_DIR,
    db: database?.db ?? null,
    store,
    async close() {
      if (store) closeStorage(store)
      await database?.close()
    },
  }
}

const rowsOf = ({ tables }: { tables: Record<string, { rows: number }> }) =>
  Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)
const size = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`
