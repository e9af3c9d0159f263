import { ChevronRight, Flag, MailCheck, UserPlus } from 'lucide-react'
import { useText } from '#web/i18n.ts'
import type { LucideIcon } from '#web/ui/Icon.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import type { Figures } from '../contract.ts'
import { dashboardText } from './dashboard-text.ts'

type Task = 'open_reports' | 'waiting_requests' | 'unverified_addresses'
const tasks: readonly [Task, icon: LucideIcon, href: string][] = [
  ['open_reports', Flag, '/moderation'],
  ['waiting_requests', UserPlus, '/admin/new-members'],
  ['unverified_addresses', MailCheck, '/admin/users'],
]

/** What an admin should do next, each with its number. */
export function WaitingTasks({ facts }: { facts: Figures | undefined }) {
  const t = useText(dashboardText)
  const open = facts && tasks.filter(([task]) => facts[task] > 0)
  return (
    <section className="admin-tasks" aria-label={t.waiting} aria-busy={!facts || undefined}>
      <h2>{t.waiting}</h2>
      <div className="cards">
        {!open && (
          <p className="row">
            <span className="skeleton skeleton-part" />
          </p>
        )}
        {open?.length === 0 && <p className="row text-soft">{t.nothing}</p>}
        {open?.map(([task, icon, href]) => (
          <Link key={task} className="row" href={href}>
            <Icon icon={icon} />
            <span className="text">{t[task](facts![task])}</span>
            <Icon icon={ChevronRight} size="s" />
          </Link>
        ))}
      </div>
    </section>
  )
}
