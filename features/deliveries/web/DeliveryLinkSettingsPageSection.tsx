import { useText } from '#web/i18n.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { deliveriesPageLinkText } from './text.ts'

/** Renders the section of the page of notification settings that leads to the page with all deliveries. */
export default function DeliveryLinkSettingsPageSection() {
  const t = useText(deliveriesPageLinkText)
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
