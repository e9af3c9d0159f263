import { formatBytes } from '#core/text/format-bytes.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import type { BackupStatus } from '../contract.ts'
import { adminText } from './text.ts'

export function BackupStatusLine({ nightly, good, failed }: BackupStatus) {
  const t = useText(adminText)
  const lang = useLang()
  return (
    <section aria-label={t.backup}>
      <p className="backup-line">
        {good ? (
          <span>
            {t.lastBackup}
            <strong>
              <RelativeTime at={good.made_at} />
            </strong>
            , {formatBytes(good.bytes, lang)}
          </span>
        ) : (
          <span>{t.noBackup}</span>
        )}{' '}
        {!good && nightly && !failed && <span>{t.firstBackup}</span>}
        {!nightly && <NightlyBackupHint words={t.nightlyBackupHint} />}
      </p>
      {good && good.missing > 0 && <Notice kind="warning">{t.picturesMissing(good.missing)}</Notice>}
      {failed && (
        <Notice kind="error">
          {t.backupFailed} (<RelativeTime at={failed.at} />
          ): <span lang="en">{failed.reason}</span>
        </Notice>
      )}
    </section>
  )
}

const NightlyBackupHint = ({ words: [before, after] }: { words: readonly [string, string] }) => (
  <span>
    {before}
    <code>BACKUP_AT=03:30</code>
    {after}
  </span>
)
