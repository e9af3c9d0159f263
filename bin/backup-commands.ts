import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { migrations } from '#app.ts'
import { makeBackup } from '#core/backup/backup.ts'
import { beginBackup, recordBackup } from '#core/backup/history.ts'
import { move } from '#core/backup/move.ts'
import { restore } from '#core/backup/restore.ts'
import { rowCount } from '#core/backup/tally.ts'
import { BadSetting, readSettings } from '#core/config.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { openStorage } from '#core/media/open-storage.ts'
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
        const id = typeof begun === 'string' ? Number(begun) : (await beginBackup(db))!
        const storage = await openStorage(config)
        const source = {
          database: config.DATABASE_URL ? { db } : { file: join(config.DATA_DIR, 'engawa.db') },
          storage,
          secrets: ownSecrets(config),
          lists: migrations,
          version,
        }
        const { place, rows, files, bytes, missing } = await recordBackup(db, id, () =>
          makeBackup(source, folder ? resolve(folder) : config.BACKUP_DIR),
        ).finally(() => storage.close())
        const lost = missing.length
          ? `\nPictures that were not there any more: ${missing.length} (named in backup.json).`
          : ''
        return (
          `The backup is in ${place}\nIt was restored beside itself and compared: ` +
          `${rows} rows, ${files} pictures, ${formatSize(bytes)}.${lost}`
        )
      }),
  },
  restore: {
    takes: 'BACKUP',
    flags: ['overwrite'],
    says: 'puts a backup where DATA_DIR, DATABASE_URL and MEDIA_URL say; the server has to be stopped',
    run: async (backup, { overwrite }) => {
      const destination = await openDestination()
      try {
        const { manifest, aside } = await restore(
          resolve(backup!),
          destination,
          migrations,
          overwrite === true,
        )
        const { made_at, tables, pictures } = manifest
        const moved = aside ? `\nWhat was there before is in ${aside}` : ''
        return (
          `The backup of ${made_at} is restored: ${rowCount(tables)} rows, ${pictures.files} pictures.` +
          `${moved}\nStart the server now.`
        )
      } finally {
        await destination.close()
      }
    },
  },
  move: {
    says: 'carries the community of DATA_DIR to DATABASE_URL and, where it is set, MEDIA_URL',
    run: async () => {
      refuseEmptyFolder()
      const { folder, db, storage, close } = await openDestination()
      try {
        if (!db)
          throw new BadSetting(
            'DATABASE_URL takes the database to move to: postgres://user:password@host:port/database.',
          )
        const media = storage && {
          from: await openStorage({ DATA_DIR: folder, MEDIA_URL: undefined, AWS_REGION: undefined }),
          to: storage,
        }
        const { rows, carried, there, missing } = await move(folder, db, migrations, media)
        const also = media ? ` and ${carried + there} pictures` : ''
        const lost = missing.length ? `\nPictures that were not there any more: ${missing.join(', ')}` : ''
        return (
          `${rows} rows${also} are at their new place, compared with those in ${folder}, ` +
          `which stays as it is.${lost}\nFrom now on, start the server with the same ` +
          `${media ? 'DATABASE_URL and MEDIA_URL' : 'DATABASE_URL'}, and the same DATA_DIR.`
        )
      } finally {
        await close()
      }
    },
  },
}

/** Opens the database and the bucket that the settings name. Writes nothing to them. */
async function openDestination() {
  const settings = readSettings()
  const { DATA_DIR, DATABASE_URL, MEDIA_URL } = settings
  const database = DATABASE_URL ? await openPostgres(DATABASE_URL, { patient: true }) : null
  const storage = MEDIA_URL ? await openStorage(settings) : null
  return {
    folder: DATA_DIR,
    db: database?.db ?? null,
    storage,
    async close() {
      storage?.close()
      await database?.close()
    },
  }
}

const formatSize = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`
