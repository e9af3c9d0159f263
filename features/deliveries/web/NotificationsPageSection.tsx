import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Link } from '#web/ui/Link.tsx'
import { deliveryLinkText } from './text.ts'

export default function NotificationsPageSection() {
  const t = useText(deliveryLinkText)
  if (!useMe()) return null
  return (
    <p className="delivery-link text-meta">
      {t.title}{' '}
      <Link className="link" href="/account/deliveries">
        {t.link}
      </Link>
    </p>
  )
}
