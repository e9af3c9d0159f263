import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '#web/i18n.ts'
import { pageData } from '#web/page-data.ts'
import { shellText } from '#web/shell-text.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { PageLayout } from '#web/ui/PageLayout.tsx'

export const ErrorLine = ({
  title,
  help,
  children,
}: {
  title: string
  help: ReactNode
  children: ReactNode
}) => (
  <PageLayout kind="inset">
    <div className="empty" data-plain="true">
      <div className="seats" aria-hidden="true">
        <Avatar person={null} />
      </div>
      <h1 tabIndex={-1}>{title}</h1>
      <p>{help}</p>
      {children}
    </div>
  </PageLayout>
)

const Retry = () => (
  // Loads the whole page anew, since an update of the server removes the old scripts.
  <Button kind="primary" icon={RotateCw} onClick={() => location.reload()}>
    {useText(shellText).retry}
  </Button>
)

/** Shown when a page throws while the browser draws it. */
export function BrokenPart() {
  const say = useText(shellText)
  return (
    <ErrorLine title={say.broke} help={say.brokeHelp}>
      <Retry />
    </ErrorLine>
  )
}

/** Shown when the server failed to make the page. */
export function ErrorPage() {
  const say = useText(shellText)
  return (
    <ErrorLine title={say.broke} help={say.faultHelp}>
      {pageData.fault && <p className="meta">{say.number(pageData.fault)}</p>}
      <Retry />
    </ErrorLine>
  )
}
