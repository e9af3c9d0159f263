import './people.css'
import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { isHttpError } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { NotLoaded, PleaseLogIn } from '#web/NotLoaded.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { hasPage } from '#web/views.tsx'
import { peopleText } from './text.ts'

/** Shows its children to admins alone. The server checks the right again at every call. */
export function ForAdmins({ children }: { children: ReactNode }) {
  const me = useMe()
  if (!me) return <PleaseLogIn />
  return me.is_admin ? children : <AdminsOnly />
}

function AdminsOnly() {
  const t = useText(peopleText)
  return (
    <Empty title={t.adminsOnly} help={t.adminsOnlyHelp}>
      <ButtonLink href="/">{t.home}</ButtonLink>
    </Empty>
  )
}

interface AdminNotLoadedProps {
  error: unknown
  pending: boolean
  onRetry: () => void
}
/** Says why an admin's data could not be loaded, and offers to try again. */
export function AdminNotLoaded({ error, pending, onRetry }: AdminNotLoadedProps) {
  if (isHttpError(error, 403)) return <AdminsOnly />
  return <NotLoaded error={error} pending={pending} onRetry={onRetry} />
}

export function ToDashboard() {
  const t = useText(peopleText)
  if (!hasPage('/admin/dashboard')) return null
  return (
    <ButtonLink kind="bare" small className="to-dashboard" icon={ChevronLeft} href="/admin/dashboard">
      {t.dashboard}
    </ButtonLink>
  )
}
