import { useText } from '#web/i18n.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { deliveryLinkText } from './text.ts'

export default function SettingsPageSection() {
  const t = useText(deliveryLinkText)
  return (
    <section className="card">
      <h2>{t.title}</h2>
      <p className="text-soft">{t.help}</p>
      <p>
        <ButtonLink href="/account/deliveries">{t.link}</ButtonLink>
      </p>
    </section>
  )
}
