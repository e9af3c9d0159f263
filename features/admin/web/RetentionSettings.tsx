import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { retentionDayChoices } from '#core/community-settings-contract.ts'
import { formatBytes } from '#core/format-bytes.ts'
import { callEndpoint } from '#web/api.ts'
import { useLang, useText } from '#web/i18n.ts'
import { LoadErrorMessage } from '#web/LoadErrorMessage.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import type { AdminCommunitySettingsResponse } from '../contract.ts'
import { type RetentionDaysAndStartTimes, retentionEndpoints } from '../retention-contract.ts'
import { retentionText } from './retention-text.ts'
import type { CommunitySettingsSection } from './settings-section.ts'
import { useCommunitySetting } from './useCommunitySetting.ts'
import { useLongDateTimeFormatter } from './useLongDateTimeFormatter.ts'

type Days = RetentionDaysAndStartTimes['messages']['days']
type RetentionKind = keyof RetentionDaysAndStartTimes

export const communityRetentionSettingsSection: CommunitySettingsSection = {
  id: 'retention',
  title: { en: 'How long things are kept', ja: '保存期間' },
  Content: RetentionSettings,
}

const settingNames = { messages: 'keep_messages_days', pictures: 'keep_pictures_days' } as const

function RetentionSettings({ settings }: AdminCommunitySettingsResponse) {
  const { keep_messages_days, keep_pictures_days } = settings
  const { data } = useQuery({
    // The query key contains the saved settings, so that the times when removals begin are fetched again
    // after an admin saves a setting.
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
  /**
   * The saved numbers of days after which messages and pictures are removed; null if they are kept for ever.
   */
  saved: Readonly<Record<RetentionKind, Days>>
  /** The time when the removal begins, or has begun; null if nothing is ever removed. */
  startsAt: string | null
}

/**
 * Renders the setting for how long messages, or pictures, are kept. Before it saves a number of days, it
 * shows in a dialog what would be removed, and asks the admin.
 */
function KeepFor({ kind, saved, startsAt }: KeepForProps) {
  const t = useText(retentionText)
  const id = useId()
  const formatTime = useLongDateTimeFormatter()
  const [days, change, dialog] = useCommunitySetting<Days>(settingNames[kind], saved[kind])
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
          {retentionDayChoices.map((n) => (
            <option key={n} value={n}>
              {t.days(n)}
            </option>
          ))}
        </select>
      </div>
      <p className="hint" id={`${id}-help`}>
        {t.helps[kind]}
      </p>
      {isWaiting && <p role="status">{t.begins(formatTime(startsAt))}</p>}
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

/**
 * Renders a dialog that shows what would be removed with the chosen numbers of days, and asks the admin
 * whether to save them.
 */
function PreviewDialog({ kind, days, onSave, onClose }: PreviewDialogProps) {
  const t = useText(retentionText)
  const lang = useLang()
  const formatTime = useLongDateTimeFormatter()
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
      {oldest && t.oldest(formatTime(oldest))} {t.grace}
    </ConfirmDialog>
  )
}
