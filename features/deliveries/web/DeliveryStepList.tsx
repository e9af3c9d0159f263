import './deliveries.css'
import { AppWindow, Inbox, Mail, Smartphone } from 'lucide-react'
import { useLang, useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import type { ChannelDeliveryOutcome } from '../contract.ts'
import { type DeliveryStepTimeFormatter, describeDeliveryStep, toDeliveryStepTone } from './describe-step.ts'
import { deliveryText } from './text.ts'

const icons = { app: Inbox, live: AppWindow, push: Smartphone, mail: Mail }

function useStepTimeFormatter(): DeliveryStepTimeFormatter {
  const t = useText(deliveryText)
  const lang = useLang()
  const locale = navigator.languages.find((known) => known.startsWith(lang)) ?? lang
  const format = (at: string, options: Intl.DateTimeFormatOptions) =>
    new Date(at).toLocaleString(locale, options)
  const clock = { hour: 'numeric', minute: '2-digit' } as const
  const day = { month: 'short', day: 'numeric' } as const
  const isToday = (at: string) => new Date(at).toDateString() === new Date().toDateString()
  return {
    short: (at) => format(at, isToday(at) ? clock : { ...day, ...clock }),
    long: (at) => (isToday(at) ? t.atTime(format(at, clock)) : t.onDay(format(at, day), format(at, clock))),
  }
}

/**
 * Renders how a message or notification reached the member, with one line for each delivery step. Steps of
 * several devices with the same text are one line.
 */
export function DeliveryStepList({ steps }: { steps: readonly ChannelDeliveryOutcome[] }) {
  const t = useText(deliveryText)
  const format = useStepTimeFormatter()
  const lines = new Map(
    steps.map((step) => [`${step.channel} ${describeDeliveryStep(step, t, format)}`, step]),
  )
  return (
    <ul className="delivery-steps">
      {[...lines].map(([key, step]) => (
        <li key={key} data-tone={toDeliveryStepTone(step)}>
          <Icon icon={icons[step.channel]} size="s" />
          <span>
            <span className="visually-hidden">{`${t.channels[step.channel]}: `}</span>
            {describeDeliveryStep(step, t, format)}
            <StepLink step={step} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/**
 * Renders a link to the page on which the member can change the setting that is the reason of a delivery
 * step. Renders nothing if there is no such setting.
 */
function StepLink({ step: { channel, outcome, reason } }: { step: ChannelDeliveryOutcome }) {
  const t = useText(deliveryText)
  if (outcome === 'no_device')
    return (
      <>
        {' – '}
        <Link href="/account#push">{t.turnOn}</Link>
      </>
    )
  if (reason === 'switched_off' || (channel === 'mail' && reason === 'off'))
    return (
      <>
        {' – '}
        <Link href="/account/notifications">{t.settings}</Link>
      </>
    )
  return null
}
