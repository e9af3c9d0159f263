import './shortcuts-help.css'
import { Fragment, useEffect, useRef, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { appShellText } from '#web/shell-text.ts'
import {
  areShortcutsEnabled,
  closeShortcutsHelp,
  type KeyboardShortcut,
  setShortcutsEnabled,
  useShortcutGroupsOfOpenHelp,
} from '#web/shortcuts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'

const shown: Record<string, string> = { ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' }

/**
 * Renders the dialog that lists the keyboard shortcuts of the current page. A checkbox in the dialog turns
 * all keyboard shortcuts on and off.
 */
export default function ShortcutsHelp() {
  const t = useText(appShellText)
  const [on, setOn] = useState(areShortcutsEnabled)
  const groups = useShortcutGroupsOfOpenHelp() ?? []
  const close = useRef<HTMLButtonElement>(null)
  // Focuses the close button when the dialog opens. Otherwise the dialog would focus its first control, the
  // switch that turns the shortcuts off.
  useEffect(() => close.current?.focus(), [])
  return (
    <Dialog open title={t.keys} onClose={closeShortcutsHelp} className="shortcuts-help">
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
            setShortcutsEnabled(checked)
            setOn(checked)
          }}
        />
        {t.keysOn}
      </label>
      <div className="dialog-actions">
        <Button ref={close} onClick={closeShortcutsHelp}>
          {t.close}
        </Button>
      </div>
    </Dialog>
  )
}

const Caps = ({ keys }: KeyboardShortcut) =>
  keys.map((one, at) => (
    <Fragment key={one}>
      {at > 0 && <span> / </span>}
      {one.split(' ').map((cap, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a key may be pressed twice
        <kbd key={index}>{shown[cap] ?? cap}</kbd>
      ))}
    </Fragment>
  ))
