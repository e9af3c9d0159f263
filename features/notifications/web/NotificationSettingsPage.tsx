import './notification-settings.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { callEndpoint } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { PageSections } from '#web/views.tsx'
import {
  type Channel,
  type KindSwitch,
  type NotificationSettings,
  type SwitchKind,
  settingEndpoints,
} from '../contract.ts'
import { settingsText } from './text.ts'

const queryKey = [settingEndpoints.get.path]
const channels: readonly Channel[] = ['app', 'push', 'mail']

export default function NotificationSettingsPage() {
  const t = useText(settingsText)
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.title} />
      {useMe() ? <Settings /> : <LogInPrompt />}
    </PageLayout>
  )
}

function Settings() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: () => callEndpoint(settingEndpoints.get, {}),
  })
  if (!data && error) return <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!data) return <LoadingText />
  return (
    <div className="cards form-cards notification-settings">
      <Switches switches={data.switches} />
      <PageSections path="/account/notifications" atTop />
      <QuietHoursForm settings={data} />
      <PageSections path="/account/notifications" />
    </div>
  )
}

type Changes = Parameters<typeof callEndpoint<(typeof settingEndpoints)['save']>>[1]

function useSaving() {
  const t = useText(settingsText)
  const client = useQueryClient()
  const explain = useErrorText()
  return useMutation({
    // One after the other, so that the last response contains all changes.
    scope: { id: 'notification settings' },
    mutationFn: (changes: Changes) => callEndpoint(settingEndpoints.save, changes),
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

/** A change is saved at once. */
function Switches({ switches }: Pick<NotificationSettings, 'switches'>) {
  const t = useText(settingsText)
  const id = useId()
  const client = useQueryClient()
  const { mutate } = useSaving()
  const me = useMe()
  const needs: Partial<Record<SwitchKind, boolean | undefined>> = {
    report: me?.is_admin || me?.is_moderator,
    contact_request: me?.is_guardian,
    join_request: me?.is_admin,
    contact_allowed: me?.is_child,
  }
  const kinds = [...new Set(switches.map(({ kind }) => kind))].filter(
    (kind) => !(kind in needs) || needs[kind],
  )
  const change = (changed: KindSwitch) => {
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
      <div className="switches">
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
            {kinds.map((kind) => (
              <tr key={kind}>
                <th scope="row">{t[kind]}</th>
                {channels.map((channel) => (
                  <SwitchCell
                    key={channel}
                    channel={t[channel]}
                    label={t.cell(t[kind], t[channel])}
                    value={switches.find((one) => one.kind === kind && one.channel === channel)}
                    onChange={change}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="text-soft">{t.devicesHelp}</p>
      <ButtonLink href="/account#push">{t.devices}</ButtonLink>
    </section>
  )
}

interface SwitchCellProps {
  /** Beside the switch, where the table has no columns. */
  channel: string
  label: string
  /** Undefined if the kind does not use the channel. */
  value: KindSwitch | undefined
  onChange: (changed: KindSwitch) => void
}

function SwitchCell({ channel, label, value, onChange }: SwitchCellProps) {
  const t = useText(settingsText)
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
          <span className="channel">{channel}</span>
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
  const t = useText(settingsText)
  const { quiet_hours, community_quiet_hours } = settings
  const { mutate, isPending } = useSaving()
  const timeZone = dates.timeZone()
  const savedZone = quiet_hours?.time_zone ?? timeZone
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const hours = { from: String(form.get('from')), to: String(form.get('to')), time_zone: timeZone }
    mutate({ quiet_hours: hours })
  }
  // The button that had the focus disappears, and new inputs replace those of before.
  const turnOff = () =>
    mutate({ quiet_hours: null }, { onSuccess: () => focusFirst('.quiet-hours[data-off] input') })
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
