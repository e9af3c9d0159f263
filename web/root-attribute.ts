import { useLayoutEffect } from 'react'

const shown = new Map<string, number>()

/**
 * Says on the root of the page that something is shown, as `data-name="value"`; null is nothing.
 * A style that looks for it with `:has()` would have the browser search everything whenever anything is drawn.
 */
export function useRootAttribute(name: string, value: string | null = '') {
  useLayoutEffect(() => {
    if (value === null) return
    const { dataset } = document.documentElement
    dataset[name] = value
    shown.set(name, (shown.get(name) ?? 0) + 1)
    return () => {
      shown.set(name, shown.get(name)! - 1)
      if (!shown.get(name)) delete dataset[name]
    }
  }, [name, value])
}
