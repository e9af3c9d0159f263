import './deliveries.css'
import { AppWindow, Inbox, Mail, Smartphone } from 'lucide-react'
import { Link } from 'wouter'
import { useLang, useText } from '#web/i18n.ts'
import { Icon } from '#web/ui/Icon.tsx'
import type { DeliveryStep } from '../contract.ts'
import { describeStep, toStepTone } from './describe-step.ts'
import { deliveryText } from './text.ts'

const icons = { app: Inbox, live: AppWindow, push: Smartphone, mail: Mail }

/** Returns a function that formats a time: “12:03”, or with the date if it is not today. */
function useTimeFormatter() {
  const lang = useLang()
  const locale = navigator.languages.find((known) => known.startsWith(lang)) ?? lang
  return (at: string) => {
    const date = new Date(at)
    const isToday = date.toDateString() === new Date().toDateString()
    const day = isToday ? {} : ({ month: 'short', day: 'numeric' } as const)
    return date.toLocaleString(locale, { ...day, hour: 'numeric', minute: '2-digit' })
  }
}

/** The way of a message or notification to the member: one line for each step. */
export function DeliverySteps({ steps }: { steps: readonly DeliveryStep[] }) {
  const t = useText(deliveryText)
  const formatTime = useTimeFormatter()
  return (
    <ul className="delivery-steps">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the steps have no id, and their order does not change
        <li key={index} data-tone={toStepTone(step)}>
          <Icon icon={icons[step.channel]} size="s" />
          <span>
            <span className="visually-hidden">{`${t.channels[step.channel]}: `}</span>
            {describeStep(step, t, formatTime)}
            <StepLink step={step} />
          </span>
        </li>
      ))}
    </ul>
  )
}

/** The link to the page on which the member can change the reason of a step. */
function StepLink({ step: { channel, outcome, reason } }: { step: DeliveryStep }) {
  const t = useText(deliveryText)
  if (outcome === 'no_device' || (channel === 'push' && outcome === 'gone'))
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
