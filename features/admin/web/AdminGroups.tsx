import { CalendarSync, Flag, HeartPulse, ScrollText, Settings, UserPlus, Users } from 'lucide-react'
import { useId } from 'react'
import { useLang, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import type { LucideIcon } from '#web/ui/Icon.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { hasPage } from '#web/views.tsx'
import { listNavItems } from '#web/web-modules.ts'
import { dashboardText } from './dashboard-text.ts'
import { adminText } from './text.ts'

/** The pages of admins, in three groups with words. */
export function AdminGroups({ members }: { members: number | undefined }) {
  const t = useText(dashboardText)
  const { users, newMembers, reports, settings, health, log } = useText(adminText)
  const lang = useLang()
  const added = listNavItems('adminActions', useMe()).map(({ paths, label, icon }) => (
    <PageRow key={paths[0]} icon={icon!} href={paths[0]!} title={label[lang]} />
  ))
  return (
    <div className="admin-groups">
      <section aria-label={t.people}>
        <h2>{t.people}</h2>
        <div className="cards">
          <PageRow icon={Users} href="/admin/users" title={users} about={t.about.users(members)} />
          <PageRow icon={UserPlus} href="/admin/new-members" title={newMembers} about={t.about.newMembers} />
        </div>
      </section>
      <section aria-label={t.community}>
        <h2>{t.community}</h2>
        <div className="cards">
          {added}
          {hasPage('/admin/turn') && (
            <PageRow icon={CalendarSync} href="/admin/turn" title={t.turn} about={t.about.turn} />
          )}
          {hasPage('/moderation') && (
            <PageRow icon={Flag} href="/moderation" title={reports} about={t.about.reports} />
          )}
          <PageRow icon={Settings} href="/admin/settings" title={settings} about={t.about.settings} />
        </div>
      </section>
      <section aria-label={t.server}>
        <h2>{t.server}</h2>
        <div className="cards">
          <PageRow icon={HeartPulse} href="/admin/health" title={health} about={t.about.health} />
          <PageRow icon={ScrollText} href="/admin-log" title={log} about={t.about.log} />
        </div>
      </section>
    </div>
  )
}

interface RowProps {
  icon: LucideIcon
  href: string
  title: string
  about?: string
}

/** Its name is the title alone. */
function PageRow({ icon, href, title, about }: RowProps) {
  const id = useId()
  return (
    <Link className="row" href={href} aria-label={title} aria-describedby={about && id}>
      <Icon icon={icon} />
      <span className="text">
        <span className="name">{title}</span>
        {about && (
          <span className="line" id={id}>
            {about}
          </span>
        )}
      </span>
    </Link>
  )
}
