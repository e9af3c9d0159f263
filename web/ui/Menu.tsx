import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type ToggleEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { Link } from 'wouter'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'

type ButtonProps = Pick<
  ComponentProps<'button'>,
  'type' | 'aria-expanded' | 'aria-controls' | 'popoverTarget' | 'onKeyDown' | 'onPointerEnter' | 'onFocus'
>
interface MenuProps {
  /** Draws the button that opens the menu; it has to spread these attributes on it. */
  button: (props: ButtonProps) => ReactNode
  label: string
  /** Which edge of the menu is aligned with the same edge of the button. */
  align?: 'start' | 'end'
  children: ReactNode
}

const EDGE = 8
const GAP = 6

/** Links and buttons in a popover that a button opens. */
export function Menu({ button, label, align = 'end', children }: MenuProps) {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  // Every message has a menu: its items are drawn when the pointer or the focus reaches the button.
  const [near, setNear] = useState(false)
  const come = () => setNear(true)
  const opener = () => document.querySelector<HTMLElement>(`[popovertarget="${CSS.escape(id)}"]`)
  const items = () => [
    ...(ref.current?.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)') ?? []),
  ]

  const place = () => {
    const menu = ref.current
    const at = opener()?.getBoundingClientRect()
    if (!menu || !at) return
    const wish =
      (align === 'start') === (getComputedStyle(menu).direction === 'ltr')
        ? at.left
        : at.right - menu.offsetWidth
    const below = at.bottom + GAP
    const fits = below + menu.offsetHeight <= innerHeight - EDGE || at.top < innerHeight - at.bottom
    menu.style.left = `${Math.max(EDGE, Math.min(wish, document.documentElement.clientWidth - menu.offsetWidth - EDGE))}px`
    menu.style.top = `${fits ? below : Math.max(EDGE, at.top - GAP - menu.offsetHeight)}px`
  }
  useEffect(() => {
    if (!open) return
    addEventListener('scroll', place, { passive: true, capture: true })
    addEventListener('resize', place)
    return () => {
      removeEventListener('scroll', place, { capture: true })
      removeEventListener('resize', place)
    }
  })

  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    ref.current?.showPopover()
    items()
      .at(event.key === 'ArrowDown' ? 0 : -1)
      ?.focus()
  }
  const move = (event: KeyboardEvent) => {
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: at < 1 ? all.length - 1 : at - 1,
      Home: 0,
      End: all.length - 1,
    }[event.key]
    if (to === undefined) return
    event.preventDefault()
    all[to]?.focus()
  }
  const close = () => ref.current?.hidePopover()
  const changed = (event: ToggleEvent) => {
    setOpen(event.newState === 'open')
    place()
  }
  return (
    <>
      {button({
        type: 'button',
        'aria-expanded': open,
        'aria-controls': id,
        popoverTarget: id,
        onKeyDown: openByArrow,
        onPointerEnter: come,
        onFocus: come,
      })}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend */}
      <div
        ref={ref}
        id={id}
        popover="auto"
        className="menu"
        aria-label={label}
        role="group"
        onToggle={changed}
        onKeyDown={move}
        onClick={(event) => (event.target as Element).closest('a, button') && close()}
        onBlur={(event) => {
          const to = event.relatedTarget
          if (to && !event.currentTarget.contains(to) && to !== opener()) close()
        }}
      >
        {(near || open) && children}
      </div>
    </>
  )
}

export const MenuLink = ({
  href,
  icon,
  children,
}: {
  href: string
  icon: LucideIcon
  children: ReactNode
}) => (
  <Link href={href}>
    <Icon of={icon} />
    {children}
  </Link>
)

interface MenuButtonProps {
  icon: LucideIcon
  danger?: boolean
  onPress: () => void
  children: ReactNode
}
export const MenuButton = ({ icon, danger, onPress, children }: MenuButtonProps) => (
  <button type="button" className={danger ? 'danger' : undefined} onClick={onPress}>
    <Icon of={icon} />
    {children}
  </button>
)
