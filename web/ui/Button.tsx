import type { ComponentProps, MouseEvent, ReactNode, Ref } from 'react'
import { Link } from 'wouter'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'

interface ButtonStyle {
  kind?: 'primary' | 'quiet' | 'bare' | 'danger' | 'sure' | undefined
  small?: boolean | undefined
  full?: boolean | undefined
  /** Shows only the icon; needs `label`. */
  only?: boolean | undefined
  label?: string | undefined
  icon?: LucideIcon | undefined
  className?: string | undefined
  children?: ReactNode
}
interface ButtonProps extends ButtonStyle, Omit<ComponentProps<'button'>, keyof ButtonStyle | 'ref'> {
  /** Its action is running: clicks do nothing, and the button keeps its width and the focus. */
  pending?: boolean | undefined
  ref?: Ref<HTMLButtonElement> | undefined
}
interface LinkProps extends ButtonStyle, Omit<ComponentProps<'a'>, keyof ButtonStyle | 'href' | 'ref'> {
  href: string
  replace?: boolean
}

const classesOf = ({ kind = 'quiet', small, full, only, className }: ButtonStyle) =>
  [
    'button',
    kind === 'sure' ? 'danger sure' : kind,
    small && 'small',
    full && 'full',
    only && 'only',
    className,
  ]
    .filter(Boolean)
    .join(' ')

const Inside = ({ icon, only, small, children }: ButtonStyle) => (
  <>
    {icon && <Icon of={icon} size={small ? 's' : undefined} />}
    {only ? null : children}
  </>
)

export function Button({
  kind,
  small,
  full,
  only,
  label,
  icon,
  className,
  children,
  pending,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  // A double click runs an action once, also before `pending` is drawn.
  const isOnce = type === 'submit' || kind === 'primary' || kind === 'sure'
  const click = (event: MouseEvent<HTMLButtonElement>) =>
    pending || (isOnce && event.detail > 1) ? event.preventDefault() : onClick?.(event)
  return (
    <button
      type={type}
      {...rest}
      className={classesOf({ kind, small, full, only, className })}
      aria-label={label ?? rest['aria-label']}
      aria-busy={pending || undefined}
      data-pending={pending ? '' : undefined}
      onClick={click}
    >
      <Inside icon={icon} only={only} small={small}>
        {children}
      </Inside>
    </button>
  )
}

export const ButtonLink = ({
  kind,
  small,
  full,
  only,
  label,
  icon,
  className,
  children,
  ...rest
}: LinkProps) => (
  <Link
    {...rest}
    className={classesOf({ kind, small, full, only, className })}
    aria-label={label ?? rest['aria-label']}
  >
    <Inside icon={icon} only={only} small={small}>
      {children}
    </Inside>
  </Link>
)
