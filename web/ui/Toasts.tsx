import { Check, CircleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLang } from '#web/i18n.ts'
import { createStore, useStore } from '#web/store.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'

interface ToastOptions {
  /** A new toast replaces an open one with the same key. */
  key?: string
  kind?: 'success' | 'error'
  /** Screen readers read it at once: texts that the specification calls an alert. */
  alert?: boolean
  /** A toast with a button stays until it is closed. */
  action?: { label: string; run: () => void }
}
interface Toast extends ToastOptions {
  id: number
  text: ReactNode
}

/** Milliseconds, for a toast without an action. */
const DURATION = 5000
const MAX_TOASTS = 3
const toasts = createStore<readonly Toast[]>([])
let count = 0
const close = (id: number) => toasts.set(toasts.get().filter((toast) => toast.id !== id))

/** When the problem that the toast reports is solved. */
export const closeToast = (key: string) => toasts.set(toasts.get().filter((toast) => toast.key !== key))

/** Returns a function that closes it. The same text is not shown twice at a time. */
export function showToast(text: ReactNode, options: ToastOptions = {}) {
  const id = ++count
  const key = options.key ?? (typeof text === 'string' ? text : String(id))
  const others = toasts.get().filter((one) => one.key !== key)
  toasts.set([...others, { id, text, ...options, key }].slice(-MAX_TOASTS))
  return () => close(id)
}

export function Toasts() {
  const all = useStore(toasts)
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const popover = ref.current
    if (!popover) return
    // Reopened above a dialog that was opened later.
    if (all.length && popover.matches(':popover-open') && document.querySelector('dialog:modal'))
      popover.hidePopover()
    if (!popover.matches(':popover-open')) popover.showPopover()
  }, [all.length])
  const render = (one: Toast) => <ToastView key={one.id} toast={one} />
  return (
    <div className="toasts" ref={ref} popover="manual">
      <div role="status" aria-live="polite">
        {all.filter((one) => !one.alert).map(render)}
      </div>
      <div role="alert" aria-live="assertive">
        {all.filter((one) => one.alert).map(render)}
      </div>
    </div>
  )
}

function ToastView({ toast: { id, text, kind = 'success', action } }: { toast: Toast }) {
  const [held, setHeld] = useState(false)
  const lang = useLang()
  useEffect(() => {
    if (held || action) return
    const timer = setTimeout(close, DURATION, id)
    return () => clearTimeout(timer)
  }, [id, held, action])
  const hold = () => setHeld(true)
  const release = () => setHeld(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointer and focus events only pause the timer
    <div
      className="toast"
      data-kind={kind}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <Icon icon={kind === 'error' ? CircleAlert : Check} />
      <p>{text}</p>
      {action && (
        <Button
          kind="ghost"
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
        kind="ghost"
        iconOnly
        icon={X}
        label={lang === 'ja' ? '閉じる' : 'Close'}
        onClick={() => close(id)}
      />
    </div>
  )
}
