import './notification-settings.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { PageSectionsFromFeatures } from '#web/views.tsx'
import {
  type NotificationChannel,
  type NotificationSettings,
  type NotificationSwitch,
  notificationSettingEndpoints,
} from '../settings-contract.ts'
import { notificationSettingsText } from './settings-text.ts'

const queryKey = [notificationSettingEndpoints.get.path]
const channels: readonly NotificationChannel[] = ['app', 'push', 'mail']

/** Renders the page where members choose the kinds of notifications that they get, and their quiet hours. */
export default function NotificationSettingsPage() {
  const t = useText(notificationSettingsText)
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.title} />
      {useMe() ? <Settings /> : <LogInPromptBox />}
    </PageLayout>
  )
}

function Settings() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: () => callEndpoint(notificationSettingEndpoints.get, {}),
  })
  if (!data && error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!data) return <LoadingText />
  return (
    <div className="cards form-cards notification-settings">
      <Switches switches={data.switches} />
      <QuietHoursForm settings={data} />
      <PageSectionsFromFeatures path="/account/notifications" />
    </div>
  )
}

type Changes = Parameters<typeof callEndpoint<(typeof notificationSettingEndpoints)['save']>>[1]

function useSaving() {
  const t = useText(notificationSettingsText)
  const client = useQueryClient()
  const explain = useErrorFormatter()
  return useMutation({
    // The requests that save settings run one after the other, so that the last response contains all
    // changes.
    scope: { id: 'notification settings' },
    mutationFn: (changes: Changes) => callEndpoint(notificationSettingEndpoints.save, changes),
    onSuccess: (settings) => {
      client.setQueryData(queryKey, settings)
      showToast(t.saved, { key: 'notification settings' })
    },
    onError: (error) => {
      showToast(explain(error), { kind: 'error' })
      void client.invalidateQueries({ queryKey })
    },
  })
}

/**
 * Renders the table of switches: a row for each kind of notifications, a column for each channel. A change is
 * saved at once.
 */
function Switches({ switches }: Pick<NotificationSettings, 'switches'>) {
  const t = useText(notificationSettingsText)
  const id = useId()
  const client = useQueryClient()
  const { mutate } = useSaving()
  const change = (changed: NotificationSwitch) => {
    client.setQueryData<NotificationSettings>(
      queryKey,
      (before) =>
        before && {
          ...before,
          switches: before.switches.map((one) =>
            one.kind === changed.kind && one.channel === changed.channel ? changed : one,
          ),
        },
    )
    mutate({ switch: changed })
  }
  return (
    <section className="card">
      <h2 id={id}>{t.kinds}</h2>
      <p className="text-soft">{t.kindsHelp}</p>
      <table aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">{t.kind}</th>
            {channels.map((channel) => (
              <th key={channel} scope="col">
                {t[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...new Set(switches.map(({ kind }) => kind))].map((kind) => (
            <tr key={kind}>
              <th scope="row">{t[kind]}</th>
              {channels.map((channel) => (
                <SwitchCell
                  key={channel}
                  label={t.cell(t[kind], t[channel])}
                  value={switches.find((one) => one.kind === kind && one.channel === channel)}
                  onChange={change}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="text-soft">{t.devicesHelp}</p>
      <ButtonLink href="/account#push">{t.devices}</ButtonLink>
    </section>
  )
}

interface SwitchCellProps {
  label: string
  /**
   * The switch that the table cell shows; undefined if the kind of notifications does not use the channel.
   */
  value: NotificationSwitch | undefined
  onChange: (changed: NotificationSwitch) => void
}

function SwitchCell({ label, value, onChange }: SwitchCellProps) {
  const t = useText(notificationSettingsText)
  return (
    <td>
      {value ? (
        <label className="check">
          <input
            type="checkbox"
            aria-label={label}
            checked={value.is_on}
            onChange={(event) => onChange({ ...value, is_on: event.target.checked })}
          />
        </label>
      ) : (
        <span role="img" aria-label={t.notAvailable}>
          –
        </span>
      )}
    </td>
  )
}

function QuietHoursForm({ settings }: { settings: NotificationSettings }) {
  const t = useText(notificationSettingsText)
  const { quiet_hours, community_quiet_hours } = settings
  const { mutate, isPending } = useSaving()
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const savedZone = quiet_hours?.time_zone ?? timeZone
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const hours = { from: String(form.get('from')), to: String(form.get('to')), time_zone: timeZone }
    mutate({ quiet_hours: hours })
  }
  // Moves the focus to an input after the quiet hours are turned off, because the button that had the focus
  // disappears. Waits for the inputs without quiet hours, which replace the inputs of before.
  const turnOff = () =>
    mutate(
      { quiet_hours: null },
      { onSuccess: () => focusFirstMatchOnceRendered('.quiet-hours[data-off] input') },
    )
  const fields = { from: quiet_hours?.from ?? '22:00', to: quiet_hours?.to ?? '07:00' }
  return (
    <section className="card">
      <h2>{t.quietHours}</h2>
      <p className="text-soft">{t.quietHoursHelp}</p>
      {!quiet_hours && <p>{t.noQuietHours}</p>}
      {community_quiet_hours && <p>{t.community(community_quiet_hours)}</p>}
      <form onSubmit={submit}>
        <div
          className="quiet-hours"
          key={JSON.stringify(quiet_hours)}
          data-off={quiet_hours ? undefined : true}
        >
          {(['from', 'to'] as const).map((name) => (
            <div className="field" key={name}>
              <label htmlFor={`${id}-${name}`}>{t[name]}</label>
              <input
                className="input"
                type="time"
                id={`${id}-${name}`}
                name={name}
                aria-describedby={`${id}-zone`}
                required
                defaultValue={fields[name]}
              />
            </div>
          ))}
        </div>
        <p className="hint" id={`${id}-zone`}>
          {t.zone(savedZone)} {savedZone !== timeZone && t.otherZone(timeZone)}
        </p>
        <div className="form-actions">
          <Button type="submit" kind="primary" pending={isPending}>
            {t.save}
          </Button>
          {quiet_hours && <Button onClick={turnOff}>{t.end}</Button>}
        </div>
      </form>
    </section>
  )
}
