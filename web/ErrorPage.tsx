import { RotateCw } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { useText } from '#web/i18n.ts'
import { reloadIntoNewAppVersion, useNewAppVersionBarState } from '#web/new-version.ts'
import { initialPageData } from '#web/page-data.ts'
import { appShellText } from '#web/shell-text.ts'
import { useOverridePageTitle } from '#web/title.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PageLayout } from '#web/ui/PageLayout.tsx'

const FullPageMessage = ({ title, help, children }: { title: string; help: string; children: ReactNode }) => (
  <PageLayout kind="inset">
    <EmptyState withoutBackground as="h1" avatarCount={1} title={title} help={help}>
      {children}
    </EmptyState>
  </PageLayout>
)

export function NotFoundPage() {
  const t = useText(appShellText)
  useOverridePageTitle(t.notFoundTitle)
  return (
    <FullPageMessage title={t.notFoundTitle} help={t.notFoundHelp}>
      <ButtonLink kind="primary" href="/">
        {t.backHome}
      </ButtonLink>
    </FullPageMessage>
  )
}

const Retry = () => (
  <Button kind="primary" icon={RotateCw} onClick={() => location.reload()}>
    {useText(appShellText).retry}
  </Button>
)

/**
 * Renders an error page in place of a page that has thrown an error while rendering. The error page asks for
 * a reload if the server serves a new version, because the scripts of the old version may be gone.
 */
function PageCrashed() {
  const t = useText(appShellText)
  if (useNewAppVersionBarState() !== 'none')
    return (
      <FullPageMessage title={t.newVersion} help={t.newVersionHelp}>
        <Button kind="primary" icon={RotateCw} onClick={reloadIntoNewAppVersion}>
          {t.reload}
        </Button>
      </FullPageMessage>
    )
  return (
    <FullPageMessage title={t.errorTitle} help={t.pageCrashedHelp}>
      <Retry />
    </FullPageMessage>
  )
}

/**
 * Renders an error page if the server could not create the page, that is, if it answered with a status of 500
 * or above.
 */
export function ServerErrorPage() {
  const t = useText(appShellText)
  return (
    <FullPageMessage title={t.errorTitle} help={t.serverErrorHelp}>
      {initialPageData.errorId && <p className="text-meta">{t.errorNumber(initialPageData.errorId)}</p>}
      <Retry />
    </FullPageMessage>
  )
}

interface ErrorBoundaryProps {
  children: ReactNode
  /** The element to show in place of the children if they throw an error while rendering. */
  fallback?: ReactNode
}

/**
 * Renders `fallback` in place of the children if they throw an error while rendering, so that the rest of the
 * page keeps working.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { broken: boolean }> {
  override state = { broken: false }
  static getDerivedStateFromError = () => ({ broken: true })
  override render() {
    const { children, fallback = <PageCrashed /> } = this.props
    return this.state.broken ? fallback : children
  }
}
