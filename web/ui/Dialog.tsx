import { type MouseEvent, type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useRootDataAttributeWhileMounted } from '#web/root-attribute.ts'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  className?: string
}

/**
 * Renders a modal dialog of the browser. It keeps the focus inside, gives the focus back to the earlier
 * element when it closes, and makes the rest of the page inert. It is at the end of the document, because a
 * form inside the form of a page would not be a form of its own: Enter would send the outer one.
 */
export const Dialog = ({ open, ...rest }: DialogProps) =>
  open && createPortal(<OpenDialogElement {...rest} />, document.body)

function OpenDialogElement({ onClose, title, children, className = '' }: Omit<DialogProps, 'open'>) {
  const ref = useRef<HTMLDialogElement>(null)
  const downOutside = useRef(false)
  const titleId = useId()
  const closed = useEffectEvent(onClose)
  useRootDataAttributeWhileMounted('modal')

  useLayoutEffect(() => {
    const dialog = ref.current!
    dialog.showModal()
    // Scrolls the dialog to its top, because the browser scrolls to the focused element, which may be below
    // the text that explains it.
    dialog.scrollTop = 0
    const onCancel = (event: Event) => {
      // Ignores the cancel event of a file picker inside the dialog, which bubbles up to the dialog.
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
        // Ignores the second click of a double click on the button that opened the dialog, which would close
        // the dialog at once.
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
