import { createHash } from 'node:crypto'

/**
 * Whether this is a run of the deep stage, which a nightly job runs with TEST_DEEP=1, without a limit of time.
 * The tests then try every crossing, every statement and many random inputs. Otherwise they try a part.
 */
export const deep = process.env.TEST_DEEP === '1'

/** The seed of samples. tests/run/run.ts prints one, so that a second try takes the same items. */
const seed = process.env.TEST_SEED ?? '0'
const hash = (text: string) => createHash('sha1').update(text).digest().readUInt32BE()

/**
 * Returns all items in the deep stage; otherwise the first, the last, and `count` others that differ from run
 * to run, in their order. A test must name the item in its failures.
 */
export function sample<Item>(all: readonly Item[], count = 1): Item[] {
  if (deep || all.length <= count + 2) return [...all]
  const others = new Set<number>()
  for (let n = 0; others.size < count; n++)
    others.add(1 + (hash(`${seed} ${all.length} ${n}`) % (all.length - 2)))
  return all.filter((_, index) => index === 0 || index === all.length - 1 || others.has(index))
}

/** Returns all pairs of two lists in the deep stage; otherwise so many that each item is in one. */
export function pairs<A, B>(left: readonly A[], right: readonly B[]): [A, B][] {
  if (deep) return left.flatMap((one) => right.map((other): [A, B] => [one, other]))
  const most = left.length > right.length ? left : right
  return most.map((_, n) => [left[n % left.length]!, right[n % right.length]!])
}

/** The number of the day on which the run began, in UTC. TEST_DAY repeats a run of another day. */
export const day = Number(process.env.TEST_DAY ?? Math.floor(Date.now() / 86_400_000))

/** Returns a third of the items, another one each day; all of them in the deep stage. */
export const turn = <Item>(all: readonly Item[]): Item[] =>
  all.filter((_, index) => deep || (index + day) % 3 === 0)
