import { migrations as auditLog } from '#core/audit-log/tables.ts'
import * as backupHistory from '#core/backup/history.ts'
import * as pictures from '#core/community/picture.ts'
import { settingMigrations as settings } from '#core/community/settings.ts'
import { writeMigrations as writeChecks } from '#core/health/write-check.ts'
import { jobMigrations as jobs } from '#core/jobs/jobs.ts'
import * as limits from '#core/mail/limits.ts'
import { mailMigrations as mail } from '#core/mail/mail.ts'
import { mediaMigrations as media } from '#core/media/tables.ts'
import * as storedSecrets from '#core/secrets/secrets.ts'
import type { Migrations } from './database.ts'

/** The migrations of core, which run before those of the features. */
export const coreMigrations: readonly Migrations[] = [
  storedSecrets.migrations,
  settings,
  jobs,
  mail,
  limits.migrations,
  media,
  backupHistory.migrations,
  writeChecks,
  auditLog,
  pictures.migrations,
]
