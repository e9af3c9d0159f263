import '#features/people/web/people.css'
import './admin.css'
import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { PleaseLogIn } from '#features/people/web/PleaseLogIn.tsx'
import { isHttpError } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { NotLoaded as Failed } from '#web/NotLoaded.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { LogoHouse } from '#web/ui/LogoHouse.tsx'
import { PageHeader } from '#web/ui/PageHeader.tsx'
import { adminText } from './text.ts'

/** All of the house's width, and boards that keep off a phone's edges. */
export const AdminLayout = ({ title, children }: { title: string; children: ReactNode }) => (
  <LogoHouse kind="wide inset">
    <PageHeader title={title} />
    <ForAdmins>{children}</ForAdmins>
  </LogoHouse>
)

export const ToDashboard = () => (
  <ButtonLink kind="bare" small className="to-dashboard" icon={ChevronLeft} href="/admin/dashboard">
    {useText(adminText).dashboard}
  </ButtonLink>
)

/** The server refuses whoever else asks; this says so before. */
export function ForAdmins({ children }: { children: ReactNode }) {
  const me = useMe()
  if (!me) return <PleaseLogIn />
  return me.is_admin ? children : <AdminsOnly />
}

function AdminsOnly() {
  const t = useText(adminText)
  return (
    <Empty title={t.adminsOnly} help={t.adminsOnlyHelp}>
      <ButtonLink href="/">{t.home}</ButtonLink>
    </Empty>
  )
}

interface NotLoadedProps {
  error: unknown
  pending: boolean
  onRetry: () => void
}
export function NotLoaded({ error, pending, onRetry }: NotLoadedProps) {
  if (isHttpError(error, 401)) return <PleaseLogIn />
  if (isHttpError(error, 403)) return <AdminsOnly />
  return <Failed error={error} pending={pending} onRetry={onRetry} />
}
