import './shortcuts-help.css'
import { Fragment, useEffect, useRef, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { shellText } from '#web/shell-text.ts'
import { areShortcutsOn, closeHelp, type Shortcut, setShortcutsOn, useOpenHelp } from '#web/shortcuts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'

const shown: Record<string, string> = { ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' }

export default function ShortcutsHelp() {
  const t = useText(shellText)
  const [on, setOn] = useState(areShortcutsOn)
  const groups = useOpenHelp() ?? []
  const close = useRef<HTMLButtonElement>(null)
  // Otherwise the dialog would focus its first control, the switch that turns the shortcuts off.
  useEffect(() => close.current?.focus(), [])
  return (
    <Dialog open title={t.keys} onClose={closeHelp} className="shortcuts-help">
      {groups.map(({ title, shortcuts }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <dl>
            {shortcuts.map((shortcut) => (
              <Fragment key={shortcut.description}>
                <dt>
                  <Caps {...shortcut} />
                </dt>
                <dd>{shortcut.description}</dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ))}
      <label className="check">
        <input
          type="checkbox"
          checked={on}
          onChange={({ target: { checked } }) => {
            setShortcutsOn(checked)
            setOn(checked)
          }}
        />
        {t.keysOn}
      </label>
      <div className="dialog-actions">
        <Button ref={close} onClick={closeHelp}>
          {t.close}
        </Button>
      </div>
    </Dialog>
  )
}

const Caps = ({ keys }: Shortcut) =>
  keys.map((one, at) => (
    <Fragment key={one}>
      {at > 0 && <span> / </span>}
      {one.split(' ').map((cap, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a key may be pressed twice
        <kbd key={index}>{shown[cap] ?? cap}</kbd>
      ))}
    </Fragment>
  ))
