import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { boot } from '#web/boot.ts'
import { useText } from '#web/text.ts'
import { Button } from '#web/ui/Button.tsx'
import { Face } from '#web/ui/Face.tsx'
import { House } from '#web/ui/House.tsx'
import { words } from '#web/words.ts'

export const Line = ({ title, help, children }: { title: string; help: ReactNode; children: ReactNode }) => (
  <House kind="inset">
    <div className="empty" data-plain="true">
      <div className="seats" aria-hidden="true">
        <Face person={null} />
      </div>
      <h1 tabIndex={-1}>{title}</h1>
      <p>{help}</p>
      {children}
    </div>
  </House>
)

const Retry = () => (
  // A whole new start: after an update of the server the old scripts are gone.
  <Button kind="primary" icon={RotateCw} onClick={() => location.reload()}>
    {useText(words).retry}
  </Button>
)

/** The page broke in the browser. */
export function Broken() {
  const say = useText(words)
  return (
    <Line title={say.broke} help={say.brokeHelp}>
      <Retry />
    </Line>
  )
}

/** The server could not make the page. */
export function Fault() {
  const say = useText(words)
  return (
    <Line title={say.broke} help={say.faultHelp}>
      {boot.fault && <p className="meta">{say.number(boot.fault)}</p>}
      <Retry />
    </Line>
  )
}
