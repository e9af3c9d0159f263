import { RotateCw } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { useText } from '#web/i18n.ts'
import * as newVersion from '#web/new-version.ts'
import { pageData } from '#web/page-data.ts'
import { shellText } from '#web/shell-text.ts'
import { usePageTitle } from '#web/title.ts'
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
  const t = useText(shellText)
  usePageTitle(t.notFoundTitle)
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
    {useText(shellText).retry}
  </Button>
)

/** Asks for a reload if the server serves a new version, because the scripts of the old one may be gone. */
function PageCrashed() {
  const t = useText(shellText)
  if (newVersion.useBarState() !== 'none')
    return (
      <FullPageMessage title={t.newVersion} help={t.newVersionHelp}>
        <Button kind="primary" icon={RotateCw} onClick={newVersion.reload}>
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

/** For a page that the server answered with a status of 500 or above. */
export function ServerErrorPage() {
  const t = useText(shellText)
  return (
    <FullPageMessage title={t.errorTitle} help={t.serverErrorHelp}>
      {pageData.errorId && <p className="text-meta">{t.errorNumber(pageData.errorId)}</p>}
      <Retry />
    </FullPageMessage>
  )
}

interface ErrorBoundaryProps {
  children: ReactNode
  fallback?: ReactNode
}

/** Keeps the rest of the page working if the children throw an error while rendering. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { broken: boolean }> {
  override state = { broken: false }
  static getDerivedStateFromError = () => ({ broken: true })
  override render() {
    const { children, fallback = <PageCrashed /> } = this.props
    return this.state.broken ? fallback : children
  }
}
