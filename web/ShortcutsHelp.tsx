import './shortcuts-help.css'
import { Fragment, useEffect, useRef, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { shellText } from '#web/shell-text.ts'
import {
  closeShortcutsHelp,
  type Shortcut,
  setShortcutsEnabled,
  shortcutsEnabled,
  useShortcutsHelp,
} from '#web/shortcuts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'

const shown: Record<string, string> = { ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' }

/** Lists the shortcuts of this page, and turns them on and off. */
export default function ShortcutsHelp() {
  const say = useText(shellText)
  const [on, setOn] = useState(shortcutsEnabled)
  const groups = useShortcutsHelp() ?? []
  const close = useRef<HTMLButtonElement>(null)
  // Without this the dialog would focus its first control: the switch that turns the shortcuts off.
  useEffect(() => close.current?.focus(), [])
  return (
    <Dialog open title={say.keys} onClose={closeShortcutsHelp} className="legend">
      {groups.map(({ title, keys }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <dl>
            {keys.map((key) => (
              <Fragment key={key.does}>
                <dt>
                  <Caps {...key} />
                </dt>
                <dd>{key.does}</dd>
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
            setShortcutsEnabled(checked)
            setOn(checked)
          }}
        />
        {say.keysOn}
      </label>
      <div className="choose">
        <Button ref={close} onClick={closeShortcutsHelp}>
          {say.close}
        </Button>
      </div>
    </Dialog>
  )
}

const Caps = ({ keys }: Shortcut) =>
  keys.map((one, at) => (
    <Fragment key={one}>
      {at > 0 && <span> / </span>}
      {one.split(' ').map((cap, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a key may be pressed twice
        <kbd key={place}>{shown[cap] ?? cap}</kbd>
      ))}
    </Fragment>
  ))
