import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { retentionDays } from '#core/community/settings-contract.ts'
import { formatBytes } from '#core/text/format-bytes.ts'
import { callEndpoint } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { type AdminSettings, type RetentionDays, retentionEndpoints } from '../contract.ts'
import { retentionText } from './retention-text.ts'
import type { SettingsSection } from './settings-section.ts'
import { useSetting } from './useSetting.ts'

type Days = RetentionDays['messages']['days']
type RetentionKind = keyof RetentionDays

export const retentionSection: SettingsSection = {
  id: 'retention',
  title: { en: 'How long things are kept', ja: '保存期間' },
  Content: RetentionSettings,
}

const settingNames = { messages: 'keep_messages_days', pictures: 'keep_pictures_days' } as const

function RetentionSettings({ settings }: AdminSettings) {
  const { keep_messages_days, keep_pictures_days } = settings
  const { data } = useQuery({
    // With the saved settings, so that the start times are fetched again after a change.
    queryKey: [retentionEndpoints.show.path, keep_messages_days, keep_pictures_days],
    queryFn: () => callEndpoint(retentionEndpoints.show, {}),
  })
  const saved = { messages: keep_messages_days, pictures: keep_pictures_days }
  return (['messages', 'pictures'] as const).map((kind) => (
    <KeepFor key={kind} kind={kind} saved={saved} startsAt={data?.[kind].starts_at ?? null} />
  ))
}

interface KeepForProps {
  kind: RetentionKind
  /** Null: kept for ever. */
  saved: Readonly<Record<RetentionKind, Days>>
  /** Null if nothing is ever removed. */
  startsAt: string | null
}

/** Shows what would be removed, and asks, before it saves a number of days. */
function KeepFor({ kind, saved, startsAt }: KeepForProps) {
  const t = useText(retentionText)
  const id = useId()
  const lang = useLang()
  const [days, change, dialog] = useSetting<Days>(settingNames[kind], saved[kind])
  const [asked, setAsked] = useState<number | null>(null)
  const isWaiting = startsAt !== null && days === saved[kind] && Date.parse(startsAt) > Date.now()
  return (
    <div className="card setting">
      <div className="field">
        <label htmlFor={id}>{t.labels[kind]}</label>
        <select
          className="input"
          id={id}
          value={days ?? ''}
          aria-describedby={`${id}-help`}
          onChange={({ target }) => (target.value ? setAsked(Number(target.value)) : change(null))}
        >
          <option value="">{t.forEver}</option>
          {retentionDays.map((n) => (
            <option key={n} value={n}>
              {t.days(n)}
            </option>
          ))}
        </select>
      </div>
      <p className="hint" id={`${id}-help`}>
        {t.helps[kind]}
      </p>
      {isWaiting && <p role="status">{t.begins(dates.exact(startsAt, lang))}</p>}
      {asked !== null && (
        <PreviewDialog
          kind={kind}
          days={{ ...saved, [kind]: asked }}
          onSave={() => change(asked as Days)}
          onClose={() => setAsked(null)}
        />
      )}
      {dialog}
    </div>
  )
}

interface PreviewDialogProps {
  kind: RetentionKind
  days: Readonly<Record<RetentionKind, number | null>>
  onSave: () => void
  onClose: () => void
}

function PreviewDialog({ kind, days, onSave, onClose }: PreviewDialogProps) {
  const t = useText(retentionText)
  const lang = useLang()
  const input = {
    keep_messages_days: String(days.messages ?? ''),
    keep_pictures_days: String(days.pictures ?? ''),
  }
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [retentionEndpoints.preview.path, input],
    queryFn: () => callEndpoint(retentionEndpoints.preview, input),
    gcTime: 0,
  })
  if (!data)
    return (
      <Dialog open title={t.counting} onClose={onClose}>
        {error ? (
          <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} plain />
        ) : (
          <LoadingText />
        )}
      </Dialog>
    )
  const { messages, pictures } = data
  const oldest = [messages.oldest, pictures.oldest].filter((at) => at !== null).sort()[0]
  return (
    <ConfirmDialog
      title={t.ask[kind](days[kind]!)}
      confirmLabel={t.confirm}
      isDestructive
      onConfirm={async () => onSave()}
      onClose={onClose}
    >
      {t.preview(messages.count, pictures.count, formatBytes(pictures.bytes, lang))}{' '}
      {oldest && t.oldest(dates.exact(oldest, lang))} {t.grace}
    </ConfirmDialog>
  )
}
