import { Check, CircleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useLang } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'

interface Options {
  /** A toast with the same key gives way to the new one. */
  key?: string
  kind?: 'good' | 'bad'
  /** Spoken at once, where the text is what used to be an alert box. */
  alert?: boolean
  /** One thing to do about it; the toast then stays until it is closed. */
  action?: { label: string; run: () => void }
}
interface Toast extends Options {
  id: number
  text: ReactNode
}

const STAYS = 5000
const MOST = 3
let shown: readonly Toast[] = []
let count = 0
const listeners = new Set<() => void>()
const set = (next: readonly Toast[]) => {
  shown = next
  for (const listener of listeners) listener()
}
const close = (id: number) => set(shown.filter((toast) => toast.id !== id))
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Says something in passing; gives back a way to take it away. The same words are not shown twice at a time. */
export function toast(text: ReactNode, options: Options = {}) {
  const id = ++count
  const key = options.key ?? (typeof text === 'string' ? text : String(id))
  set([...shown.filter((one) => one.key !== key), { id, text, ...options, key }].slice(-MOST))
  return () => close(id)
}

export function Toasts() {
  const all = useSyncExternalStore(subscribe, () => shown)
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const place = ref.current
    if (!place) return
    // Shown anew, so that it lies above a dialog that was opened since.
    if (all.length && place.matches(':popover-open') && document.querySelector('dialog:modal'))
      place.hidePopover()
    if (!place.matches(':popover-open')) place.showPopover()
  }, [all.length])
  const draw = (one: Toast) => <Shown key={one.id} toast={one} />
  return (
    <div className="toasts" ref={ref} popover="manual">
      <div role="status" aria-live="polite">
        {all.filter((one) => !one.alert).map(draw)}
      </div>
      <div role="alert" aria-live="assertive">
        {all.filter((one) => one.alert).map(draw)}
      </div>
    </div>
  )
}

function Shown({ toast: { id, text, kind = 'good', action } }: { toast: Toast }) {
  const [held, setHeld] = useState(false)
  const lang = useLang()
  useEffect(() => {
    if (held || action) return
    const timer = setTimeout(close, STAYS, id)
    return () => clearTimeout(timer)
  }, [id, held, action])
  const hold = () => setHeld(true)
  const release = () => setHeld(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits while somebody reads or reaches it
    <div
      className="toast"
      data-kind={kind}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <Icon of={kind === 'bad' ? CircleAlert : Check} />
      <p>{text}</p>
      {action && (
        <Button
          kind="bare"
          small
          onClick={() => {
            close(id)
            action.run()
          }}
        >
          {action.label}
        </Button>
      )}
      <Button
        kind="bare"
        only
        icon={X}
        label={lang === 'ja' ? '閉じる' : 'Close'}
        onClick={() => close(id)}
      />
    </div>
  )
}
