import { Component, type ReactNode } from 'react'
import { BrokenPart } from '#web/ErrorPage.tsx'

interface SafePageProps {
  children: ReactNode
  /** Shown in place of children that threw. */
  instead?: ReactNode
}

/** An error boundary: an error while its children are drawn breaks this page, and not the whole app. */
export class SafePage extends Component<SafePageProps, { broken: boolean }> {
  override state = { broken: false }
  static getDerivedStateFromError = () => ({ broken: true })
  override render() {
    const { children, instead = <BrokenPart /> } = this.props
    return this.state.broken ? instead : children
  }
}
