import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { SectionError } from '#features/account/web/SectionError.tsx'
import { ApiError, callEndpoint } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type PushDevice, type PushPrivacy, type PushSettings, pushEndpoints } from '../contract.ts'
import * as pushClient from './push-client.ts'
import { pushText } from './text.ts'

const queryKey = [pushEndpoints.settings.path]
const privacyLevels = ['text', 'name', 'none'] as const

export default function PushContent() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: () => callEndpoint(pushEndpoints.settings, {}),
  })
  if (!data && error) return <SectionError error={error} pending={isFetching} onRetry={() => refetch()} />
  if (!data) return <LoadingText />
  return (
    <>
      <ThisBrowser settings={data} />
      {data.devices.length > 0 && (
        <>
          <Devices devices={data.devices} />
          <PrivacyChoices privacy={data.privacy} />
        </>
      )}
    </>
  )
}

/** The message of an API error, or that the browser failed. */
function useErrorToast() {
  const t = useText(pushText)
  const formatError = useErrorText()
  return (error: unknown) => {
    const browserError = error instanceof pushClient.SubscribeTimeout ? t.noAnswer : t.failed
    showToast(error instanceof ApiError ? formatError(error) : browserError, { kind: 'error' })
  }
}

/** Or why the browser cannot receive push messages. Shows nothing if they are on. */
function ThisBrowser({ settings: { public_key, devices } }: { settings: PushSettings }) {
  const t = useText(pushText)
  const client = useQueryClient()
  const showError = useErrorToast()
  const { mutate, isPending } = useMutation({
    mutationFn: () => pushClient.subscribe(public_key),
    onSuccess: (isOn) => {
      showToast(isOn ? t.isOn : t.refused, isOn ? {} : { kind: 'error' })
      void client.invalidateQueries({ queryKey })
    },
    onError: showError,
  })
  const obstacle = pushClient.whyUnavailable()
  if (obstacle) return <Notice kind="warning">{t[obstacle]}</Notice>
  if (devices.some(({ is_current }) => is_current)) return null
  return (
    <>
      <p>{t.help}</p>
      {/* The waiting text appears before or below the button, so that the button does not move. */}
      <div className="form-actions" style={{ flexWrap: 'wrap-reverse' }}>
        <span role="status" className="text-soft">
          {isPending && t.waiting}
        </span>
        <Button kind="primary" pending={isPending} onClick={() => mutate()}>
          {t.turnOn}
        </Button>
      </div>
    </>
  )
}

function Devices({ devices }: { devices: readonly PushDevice[] }) {
  const t = useText(pushText)
  const client = useQueryClient()
  const showError = useErrorToast()
  const onSettled = () => client.invalidateQueries({ queryKey })
  const test = useMutation({
    mutationFn: ({ id }: PushDevice) => callEndpoint(pushEndpoints.test, { id }),
    onSuccess: ({ result }) =>
      result === 'sent'
        ? showToast(t.sent, { key: 'push' })
        : showToast(result === 'gone' ? t.gone : t.testFailed, { kind: 'error' }),
    onError: showError,
    onSettled,
  })
  const remove = useMutation({
    mutationFn: async ({ id, is_current }: PushDevice) => {
      await callEndpoint(pushEndpoints.unsubscribe, { id })
      if (is_current) await pushClient.unsubscribe()
    },
    onSuccess: () => showToast(t.removed, { key: 'push' }),
    onError: showError,
    onSettled,
  })
  return (
    <>
      <h3>{t.devices}</h3>
      <ul className="account-rows">
        {devices.map((device) => (
          <DeviceRow
            key={device.id}
            device={device}
            isTesting={test.isPending && test.variables.id === device.id}
            isRemoving={remove.isPending && remove.variables.id === device.id}
            onTest={() => test.mutate(device)}
            onRemove={() => remove.mutate(device)}
          />
        ))}
      </ul>
    </>
  )
}

interface RowProps {
  device: PushDevice
  isTesting: boolean
  isRemoving: boolean
  onTest: () => void
  onRemove: () => void
}

function DeviceRow({ device, isTesting, isRemoving, onTest, onRemove }: RowProps) {
  const t = useText(pushText)
  const name = device.device ?? t.unknownDevice
  return (
    <li className="account-row">
      <span className="text">
        <b>{name}</b>
        {device.is_current && <span className="badge">{t.thisDevice}</span>}
        <span className="text-meta">
          {t.turnedOn}
          <RelativeTime at={device.created_at} />
        </span>
        {device.last_sent_at && (
          <span className="text-meta">
            {t.lastSent} <RelativeTime at={device.last_sent_at} />
          </span>
        )}
      </span>
      <Button small pending={isTesting} label={t.testLabel(name)} onClick={onTest}>
        {t.test}
      </Button>
      <Button small pending={isRemoving} label={t.removeLabel(name)} onClick={onRemove}>
        {t.remove}
      </Button>
    </li>
  )
}

function PrivacyChoices({ privacy }: { privacy: PushPrivacy }) {
  const t = useText(pushText)
  const client = useQueryClient()
  const showError = useErrorToast()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (chosen: PushPrivacy) => callEndpoint(pushEndpoints.update, { privacy: chosen }),
    onSuccess: (settings) => {
      client.setQueryData(queryKey, settings)
      showToast(t.saved, { key: 'push' })
    },
    onError: showError,
  })
  const chosen = isPending ? variables : privacy
  return (
    <RadioGroup
      label={t.privacy}
      choices={privacyLevels.map((value) => ({ value, label: t[value] }))}
      inputProps={(value) => ({ checked: value === chosen, onChange: () => mutate(value) })}
    />
  )
}
