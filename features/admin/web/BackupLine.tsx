import { useLang, useText } from '#web/i18n.ts'
import { Notice } from '#web/ui/Notice.tsx'
import { Time } from '#web/ui/Time.tsx'
import type { Backups } from '../contract.ts'
import { adminText } from './text.ts'

/** Tells an admin when the last good backup was made, what failed after it, and how to have backups made. */
export function BackupLine({ nightly, good, failed }: Backups) {
  const t = useText(adminText)
  const lang = useLang()
  return (
    <section aria-label={t.backup}>
      <p className="backup-line">
        {good ? (
          <span>
            {t.lastBackup}
            <strong>
              <Time at={good.made_at} />
            </strong>
            , {size(good.bytes, lang)}
          </span>
        ) : (
          <span>{t.noBackup}</span>
        )}{' '}
        {!good && nightly && !failed && <span>{t.firstBackup}</span>}
        {!nightly && <HowTo words={t.backupByHand} />}
      </p>
      {failed && (
        <Notice kind="bad">
          {t.backupFailed} (<Time at={failed.at} />
          ): <span lang="en">{failed.reason}</span>
        </Notice>
      )}
    </section>
  )
}

const HowTo = ({ words: [before, after] }: { words: readonly [string, string] }) => (
  <span>
    {before}
    <code>BACKUP_AT=03:30</code>
    {after}
  </span>
)

const units = ['megabyte', 'gigabyte', 'terabyte'] as const

/** “4.1 GB”, in units of 1000. */
function size(bytes: number, lang: string) {
  let [amount, at] = [bytes / 1e6, 0]
  for (; amount >= 1000 && at < units.length - 1; at++) amount /= 1000
  const maximumFractionDigits = amount < 10 ? 1 : 0
  return new Intl.NumberFormat(lang, {
    style: 'unit',
    unit: units[at]!,
    unitDisplay: 'short',
    maximumFractionDigits,
  }).format(amount)
}
