import { type MouseEvent, type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useRootAttribute } from '#web/root-attribute.ts'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  className?: string
}

/**
 * The browser's modal dialog keeps the focus and gives it back. It is at the end of the document, because a
 * form inside the form of a page would not be one of its own: Enter would send the outer one.
 */
export const Dialog = ({ open, ...rest }: DialogProps) =>
  open && createPortal(<OpenDialogElement {...rest} />, document.body)

function OpenDialogElement({ onClose, title, children, className = '' }: Omit<DialogProps, 'open'>) {
  const ref = useRef<HTMLDialogElement>(null)
  const downOutside = useRef(false)
  const titleId = useId()
  const closed = useEffectEvent(onClose)
  useRootAttribute('modal')

  useLayoutEffect(() => {
    const dialog = ref.current!
    dialog.showModal()
    // The browser scrolls to the focused element, which may be below the text that explains it.
    dialog.scrollTop = 0
    const onCancel = (event: Event) => {
      // The cancel event of a file picker bubbles up to the dialog.
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser closes it when Esc is pressed
    <dialog
      ref={ref}
      className={`dialog ${className}`.trim()}
      aria-labelledby={titleId}
      // React passes the event on to the form whose component renders the dialog.
      onSubmit={(event) => event.stopPropagation()}
      onMouseDown={(event) => {
        // The second click of a double click on the button that opened the dialog would close it at once.
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
