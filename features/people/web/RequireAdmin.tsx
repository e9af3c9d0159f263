import './people.css'
import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { isErrorWithStatus } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { useMe } from '#web/me.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { hasPageAtPath } from '#web/views.tsx'
import { noAdminRightsText } from './admins-only-text.ts'

/**
 * Renders its children for admins. Shows visitors a request to log in, and other members a message that
 * they may not see the page. The server checks the right again at every request.
 */
export function RequireAdmin({ children }: { children: ReactNode }) {
  const me = useMe()
  if (!me) return <LogInPromptBox />
  return me.is_admin ? children : <AdminsOnlyMessage />
}

function AdminsOnlyMessage() {
  const t = useText(noAdminRightsText)
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

interface AdminNotLoadedProps {
  error: unknown
  pending: boolean
  onRetry: () => void
}
/**
 * Renders the reason why data for admins could not be loaded: for status 403 the message that only admins see
 * the page, otherwise the error with a button to retry.
 */
export function AdminDataLoadError({ error, pending, onRetry }: AdminNotLoadedProps) {
  if (isErrorWithStatus(error, 403)) return <AdminsOnlyMessage />
  return <LoadErrorMessage error={error} pending={pending} onRetry={onRetry} />
}

export function BackToAdminDashboardLink() {
  const t = useText(noAdminRightsText)
  if (!hasPageAtPath('/admin/dashboard')) return null
  return (
    <ButtonLink kind="ghost" small className="to-dashboard" icon={ChevronLeft} href="/admin/dashboard">
      {t.dashboard}
    </ButtonLink>
  )
}
