import { type ReactNode, type RefObject, useEffect, useRef } from 'react'

interface Props {
  title: string
  help?: ReactNode
  className?: string
  /** Also the fragment of links to it. */
  id?: string
  children: ReactNode
}

export function SectionCard({ title, help, className = '', id, children }: Props) {
  const section = useRef<HTMLElement>(null)
  useFocusFallback(section)
  return (
    <section ref={section} id={id} className={`card account-section ${className}`.trim()}>
      <h2 tabIndex={-1}>{title}</h2>
      {help && <p className="text-soft">{help}</p>}
      {children}
    </section>
  )
}

/**
 * When the focused element is removed, for example when a form is replaced by its result. Otherwise the Tab
 * key would continue at the beginning of the page.
 */
function useFocusFallback(section: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = section.current!
    let focused: EventTarget | null = null
    const onFocus = ({ target }: FocusEvent) => (focused = target)
    const observer = new MutationObserver(() => {
      if (!(focused instanceof Element) || focused.isConnected) return
      focused = null
      if (document.activeElement === document.body)
        element.querySelector('h2')!.focus({ preventScroll: true })
    })
    element.addEventListener('focusin', onFocus)
    observer.observe(element, { childList: true, subtree: true })
    return () => {
      element.removeEventListener('focusin', onFocus)
      observer.disconnect()
    }
  }, [section])
}
