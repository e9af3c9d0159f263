import './people.css'
import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { hasStatus } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPrompt } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { hasPage } from '#web/views.tsx'
import { adminsOnlyText } from './admins-only-text.ts'

/** Visitors are asked to log in. The server checks the right again at every request. */
export function RequireAdmin({ children }: { children: ReactNode }) {
  const me = useMe()
  if (!me) return <LogInPrompt />
  return me.is_admin ? children : <AdminsOnlyMessage />
}

function AdminsOnlyMessage() {
  const t = useText(adminsOnlyText)
  if (useMe()?.needs_second_step)
    return (
      <EmptyState title={t.secondStepNeeded} help={t.secondStepNeededHelp}>
        <ButtonLink kind="primary" href="/account">
          {t.toAccount}
        </ButtonLink>
      </EmptyState>
    )
  return (
    <EmptyState title={t.adminsOnly} help={t.adminsOnlyHelp}>
      <ButtonLink href="/">{t.home}</ButtonLink>
    </EmptyState>
  )
}

interface Props {
  error: unknown
  pending: boolean
  onRetry: () => void
}
/** For status 403 the message that only admins see the page, otherwise the error with a button to retry. */
export function AdminLoadError({ error, pending, onRetry }: Props) {
  if (hasStatus(error, 403)) return <AdminsOnlyMessage />
  return <LoadErrorMessage error={error} pending={pending} onRetry={onRetry} />
}

export function DashboardLink() {
  const t = useText(adminsOnlyText)
  if (!hasPage('/admin/dashboard')) return null
  return (
    <ButtonLink kind="ghost" small className="to-dashboard" icon={ChevronLeft} href="/admin/dashboard">
      {t.dashboard}
    </ButtonLink>
  )
}
