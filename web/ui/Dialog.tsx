import { type MouseEvent, type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { useRootAttribute } from '#web/root-attribute.ts'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  className?: string
}

/** The browser's modal dialog: it keeps the focus, gives it back, and makes the rest of the page inert. */
export const Dialog = ({ open, ...rest }: DialogProps) => (open ? <OpenDialogElement {...rest} /> : null)

function OpenDialogElement({ onClose, title, children, className = '' }: Omit<DialogProps, 'open'>) {
  const ref = useRef<HTMLDialogElement>(null)
  const downOutside = useRef(false)
  const titleId = useId()
  const closed = useEffectEvent(onClose)
  useRootAttribute('modal')

  useLayoutEffect(() => {
    const dialog = ref.current!
    dialog.showModal()
    // The browser scrolls to the focused element, which may be below the text that leads to it.
    dialog.scrollTop = 0
    const onCancel = (event: Event) => {
      // The cancel event of a file picker inside the dialog bubbles up to it.
      if (event.target !== dialog) return
      event.preventDefault()
      closed()
    }
    dialog.addEventListener('cancel', onCancel)
    return () => {
      dialog.removeEventListener('cancel', onCancel)
      dialog.close()
    }
  }, [])

  const isOutside = (event: MouseEvent) => {
    const { left, right, top, bottom } = ref.current!.getBoundingClientRect()
    return event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it with Esc, which the browser handles
    <dialog
      ref={ref}
      className={`dialog ${className}`.trim()}
      aria-labelledby={titleId}
      onMouseDown={(event) => {
        // The second click of a double click on the opening button must not close it.
        downOutside.current = event.detail < 2 && event.target === ref.current && isOutside(event)
      }}
      onClick={(event) =>
        downOutside.current && event.target === ref.current && isOutside(event) && onClose()
      }
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  )
}
