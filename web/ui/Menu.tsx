import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'

type ButtonProps = Pick<
  ComponentProps<'button'>,
  'type' | 'aria-expanded' | 'aria-controls' | 'popoverTarget' | 'onKeyDown' | 'onPointerEnter' | 'onFocus'
>
interface MenuProps {
  /** Renders the button that opens the menu. The rendered button must have all attributes in `props`. */
  renderButton: (props: ButtonProps) => ReactNode
  label: string
  /**
   * The edge of the button, at the start or end of a line, with which the same edge of the menu is aligned.
   */
  align?: 'start' | 'end'
  /**
   * Whether the first item gets the focus when Enter or Space on the button opens the menu. A click moves no
   * focus.
   */
  focusesFirstItem?: boolean
  children: ReactNode
}

/**
 * The distance in pixels between the menu and the edges of the window, and between the menu and its button.
 */
const EDGE = 8
const GAP = 6

/** Renders a menu: a button that opens a popover with links and buttons (`children`). */
export function Menu({ renderButton, label, align = 'end', focusesFirstItem, children }: MenuProps) {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  // Renders the items of the menu only after the pointer or the focus has reached its button, because every
  // message on a page has a menu.
  const [near, setNear] = useState(false)
  const drawItems = () => setNear(true)
  const opener = () => document.querySelector<HTMLElement>(`[popovertarget="${CSS.escape(id)}"]`)
  const updatePosition = () => positionMenu(opener(), ref.current, align)
  const close = () => ref.current?.hidePopover()
  useMenuPosition(open, ref, updatePosition)
  return (
    <>
      {renderButton({
        type: 'button',
        'aria-expanded': open,
        'aria-controls': id,
        popoverTarget: id,
        onKeyDown: (event) => openByArrow(event, ref.current!),
        onPointerEnter: drawItems,
        onFocus: drawItems,
      })}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend */}
      <div
        ref={ref}
        id={id}
        popover="auto"
        className="menu"
        aria-label={label}
        role="group"
        onToggle={(event) => {
          setOpen(event.newState === 'open')
          updatePosition()
          if (focusesFirstItem && event.newState === 'open' && opener()?.matches(':focus-visible'))
            itemsOf(event.currentTarget)[0]?.focus()
        }}
        onKeyDown={moveByKey}
        onClick={(event) => (event.target as Element).closest('a, button:not(.segments > *)') && close()}
        onBlur={({ relatedTarget: to, currentTarget }) => {
          if (to && !currentTarget.contains(to) && to !== opener()) close()
        }}
      >
        {(near || open) && children}
      </div>
    </>
  )
}

const itemsOf = (menu: HTMLElement) => [
  ...menu.querySelectorAll<HTMLElement>('a[href], button:not(:disabled)'),
]

/**
 * Opens the menu, unless it is open, when an arrow key is pressed on its button. Down focuses the first item,
 * Up the last.
 */
function openByArrow(event: KeyboardEvent, menu: HTMLElement) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  if (!menu.matches(':popover-open')) menu.showPopover()
  itemsOf(menu)
    .at(event.key === 'ArrowDown' ? 0 : -1)
    ?.focus()
}

function moveByKey(event: KeyboardEvent<HTMLElement>) {
  const items = itemsOf(event.currentTarget)
  const at = items.indexOf(document.activeElement as HTMLElement)
  const to = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: at < 1 ? items.length - 1 : at - 1,
    Home: 0,
    End: items.length - 1,
  }[event.key]
  if (to === undefined) return
  event.preventDefault()
  items[to]?.focus()
}

/**
 * Positions the menu below the button that opens it, or above where there is more space, always inside the
 * window.
 */
function positionMenu(opener: HTMLElement | null, menu: HTMLElement | null, align: 'start' | 'end') {
  if (!opener || !menu) return
  const at = opener.getBoundingClientRect()
  const isAtLeft = (align === 'start') === (getComputedStyle(menu).direction === 'ltr')
  const left = isAtLeft ? at.left : at.right - menu.offsetWidth
  const mostLeft = document.documentElement.clientWidth - menu.offsetWidth - EDGE
  const below = at.bottom + GAP
  const fits = below + menu.offsetHeight <= innerHeight - EDGE || at.top < innerHeight - at.bottom
  menu.style.left = `${Math.max(EDGE, Math.min(left, mostLeft))}px`
  menu.style.top = `${fits ? below : Math.max(EDGE, at.top - GAP - menu.offsetHeight)}px`
}

/**
 * Keeps an open menu beside its button while the page scrolls, the window changes its size, or the menu gets
 * items that are loaded later.
 */
function useMenuPosition(open: boolean, menu: RefObject<HTMLElement | null>, updatePosition: () => void) {
  const onMove = useEffectEvent(updatePosition)
  useEffect(() => {
    if (!open) return
    const controller = new AbortController()
    const { signal } = controller
    addEventListener('scroll', () => onMove(), { passive: true, capture: true, signal })
    addEventListener('resize', () => onMove(), { signal })
    const observer = new ResizeObserver(() => onMove())
    observer.observe(menu.current!)
    return () => {
      controller.abort()
      observer.disconnect()
    }
  }, [open, menu])
}

export const MenuItemLink = ({
  href,
  icon,
  children,
}: {
  href: string
  icon: LucideIcon
  children: ReactNode
}) => (
  <Link href={href}>
    <Icon icon={icon} />
    {children}
  </Link>
)

interface MenuButtonProps {
  icon: LucideIcon
  danger?: boolean
  onPress: () => void
  children: ReactNode
}
export const MenuItemButton = ({ icon, danger, onPress, children }: MenuButtonProps) => (
  <button type="button" className={danger ? 'danger' : undefined} onClick={onPress}>
    <Icon icon={icon} />
    {children}
  </button>
)
