import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Link } from '#web/ui/Link.tsx'
import { deliveriesPageLinkText } from './text.ts'

/** Renders the line below the notifications that leads to the page with all deliveries. */
export default function DeliveryLinkNotificationsPageSection() {
  const t = useText(deliveriesPageLinkText)
  if (!useMe()) return null
  return (
    <p className="delivery-link text-meta">
      {t.title} <Link href="/account/deliveries">{t.link}</Link>
    </p>
  )
}
