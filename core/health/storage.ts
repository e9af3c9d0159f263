import { sql } from 'kysely'
import * as backupHistory from '#core/backup/history.ts'
import type { Db } from '#core/database/database.ts'
import { readFacts } from '#core/database/facts.ts'
import * as marker from '#core/media/marker.ts'
import { selectWithFiles } from '#core/media/references.ts'
import { countMissing } from '#core/media/sample.ts'
import type { MediaStorage } from '#core/media/storage.ts'
import { agoText, type Finding, sizeText } from './check.ts'
import { type DiskConfig, readFreeSpace } from './free-space.ts'

export async function checkDiskSpace(
  db: Db,
  config: DiskConfig,
  readSpace = readFreeSpace,
): Promise<Finding> {
  const { free, level } = await readSpace(config)
  const [database, pictures] = await Promise.all([readFacts(db), sumPictureBytes(db)])
  const [freeSize, databaseSize, pictureSize] = [free, database.bytes, pictures].map(sizeText)
  const finding = {
    en: `${freeSize!.en} are free. The database takes ${databaseSize!.en}, the pictures take ${pictureSize!.en}.`,
    ja: `空き容量は${freeSize!.ja}です。データベースは${databaseSize!.ja}、画像は${pictureSize!.ja}です。`,
  }
  if (level === 'enough') return { status: 'ok', finding }
  return {
    status: level === 'none' ? 'problem' : 'attention',
    finding,
    advice: {
      en: 'Delete files on this disk (old backups too), or move the data folder to a larger one. On a full disk nobody can write.',
      ja: 'このディスクの不要なファイルや古いバックアップを削除するか、データフォルダーを大きなディスクに移してください。満杯になると、だれも書き込めなくなります。',
    },
  }
}

async function sumPictureBytes(db: Db) {
  const { bytes } = await selectWithFiles(db)
    .select(sql<number>`coalesce(sum(bytes), 0)`.as('bytes'))
    .executeTakeFirstOrThrow()
  return Number(bytes)
}

export type CheckedStorage = Pick<MediaStorage, 'check' | 'has' | 'read'>

const missingPicturesAdvice = {
  en: 'Check that the folder or bucket of the pictures is the right one and is mounted. A backup has what was deleted.',
  ja: '画像のフォルダーまたはバケットが正しいか、マウントされているか確認してください。消えた画像はバックアップから戻せます。',
}

/**
 * Checks that the folder or the bucket of the pictures can be reached, belongs to this community, and holds
 * some pictures that the database names. Throws the storage's error if it cannot be reached.
 */
export async function checkPictures(db: Db, storage: CheckedStorage): Promise<Finding> {
  await storage.check()
  if (!(await marker.matches(db, storage)))
    return {
      status: 'problem',
      finding: {
        en: 'The storage of the pictures is not the one of this community.',
        ja: '画像の保存先が、このコミュニティーのものではありません。',
      },
      advice: missingPicturesAdvice,
    }
  const { looked, missing } = await countMissing(db, storage)
  if (missing)
    return {
      status: missing === looked ? 'problem' : 'attention',
      finding: {
        en: `Of ${looked} pictures and files that were looked for, ${missing} are missing.`,
        ja: `画像とファイルを${looked}件調べたところ、${missing}件が見つかりません。`,
      },
      advice: missingPicturesAdvice,
    }
  return {
    status: 'ok',
    finding: {
      en: `The storage of the pictures answers, and has what was looked for (${looked}).`,
      ja: `画像の保存先は使えます。調べた${looked}件はそろっています。`,
    },
  }
}

const HOUR = 3600_000
/**
 * The maximum ages of the newest backup, in ms. An older one is a `problem` if backups are nightly, and needs
 * `attention` if they are made by hand.
 */
const MAX_NIGHTLY_AGE = 36 * HOUR
const MAX_MANUAL_AGE = 8 * 24 * HOUR

const backupAdvice = {
  nightly: {
    en: 'Set BACKUP_AT (such as 03:30) and restart the server. It then makes a backup every night. Copy the backups to another machine.',
    ja: 'BACKUP_AT（例：03:30）を設定してサーバーを再起動すると、毎晩バックアップが作られます。バックアップは別の機器にもコピーしてください。',
  },
  missing: {
    en: 'Find out where they went, and put them back from an earlier backup. “missing” in backup.json names those that this backup lacks.',
    ja: '失われた原因を調べ、以前のバックアップから戻してください。このバックアップにないものは、backup.jsonの「missing」に書かれています。',
  },
  failure: {
    en: 'The log of the server says more. Try it by hand: bin/engawa backup.',
    ja: '詳しくはサーバーのログにあります。手動で試すには：bin/engawa backup',
  },
}

/** Checks the age of the newest backup, and whether the last attempt failed. */
export async function checkBackups(db: Db, isNightly: boolean): Promise<Finding> {
  const { good, failed } = await backupHistory.lastResults(db)
  const age = good && agoText(good.made_at)
  const newest = age
    ? { en: `The newest backup was made ${age.en}.`, ja: `最新のバックアップは${age.ja}に作られました。` }
    : { en: 'There is no backup yet.', ja: 'バックアップはまだありません。' }
  if (failed)
    return {
      status: 'problem',
      finding: {
        en: `${newest.en} The last attempt failed: ${failed.reason}`,
        ja: `${newest.ja}最後のバックアップは失敗しました：${failed.reason}`,
      },
      advice: backupAdvice.failure,
    }
  const ageInMs = good ? Date.now() - Date.parse(good.made_at) : Number.POSITIVE_INFINITY
  if (isNightly && good && ageInMs > MAX_NIGHTLY_AGE)
    return { status: 'problem', finding: newest, advice: backupAdvice.failure }
  if (good?.missing)
    return {
      status: 'attention',
      finding: {
        en: `${newest.en} At that time, the server lacked ${good.missing} files of pictures.`,
        ja: `${newest.ja}そのとき、サーバーには画像のファイルが${good.missing}件ありませんでした。`,
      },
      advice: backupAdvice.missing,
    }
  if (isNightly) return { status: 'ok', finding: newest }
  return ageInMs > MAX_MANUAL_AGE
    ? { status: 'attention', finding: newest, advice: backupAdvice.nightly }
    : { status: 'ok', finding: newest }
}
