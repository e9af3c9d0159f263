import { RotateCw } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { useText } from '#web/i18n.ts'
import { pageData } from '#web/page-data.ts'
import { shellText } from '#web/shell-text.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { PageLayout } from '#web/ui/PageLayout.tsx'

const WholePage = ({ title, help, children }: { title: string; help: string; children: ReactNode }) => (
  <PageLayout kind="inset">
    <Empty plain as="h1" seats={1} title={title} help={help}>
      {children}
    </Empty>
  </PageLayout>
)

export function NotFound() {
  const say = useText(shellText)
  return (
    <WholePage title={say.nobody} help={say.moved}>
      <ButtonLink kind="primary" href="/">
        {say.backHome}
      </ButtonLink>
    </WholePage>
  )
}

const Retry = () => (
  // Loads the whole page anew, since an update of the server removes the old scripts.
  <Button kind="primary" icon={RotateCw} onClick={() => location.reload()}>
    {useText(shellText).retry}
  </Button>
)

/** Shown when a page throws while the browser draws it. */
function BrokenPart() {
  const say = useText(shellText)
  return (
    <WholePage title={say.broke} help={say.brokeHelp}>
      <Retry />
    </WholePage>
  )
}

/** Shown when the server failed to make the page. */
export function ErrorPage() {
  const say = useText(shellText)
  return (
    <WholePage title={say.broke} help={say.faultHelp}>
      {pageData.fault && <p className="meta">{say.number(pageData.fault)}</p>}
      <Retry />
    </WholePage>
  )
}

interface SafePageProps {
  children: ReactNode
  /** Shown in place of children that threw. */
  instead?: ReactNode
}

/** An error boundary: an error while its children are drawn breaks this page, and not the whole app. */
export class SafePage extends Component<SafePageProps, { broken: boolean }> {
  override state = { broken: false }
  static getDerivedStateFromError = () => ({ broken: true })
  override render() {
    const { children, instead = <BrokenPart /> } = this.props
    return this.state.broken ? instead : children
  }
}
