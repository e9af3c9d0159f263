import type { DemoPostDefinition } from '../post-definition.ts'

/** The definitions of demo posts about firing pots in the kiln. */
export const demoKilnPostDefinitions: readonly DemoPostDefinition[] = [
  {
    by: 'hana',
    at: [23, '19:00'],
    text: 'Glaze table is open tonight until the kettle gives up. Wear something you have already stopped loving.',
    likes: 7,
  },
  {
    by: 'hana',
    at: [17, '22:40'],
    text: `Firing tonight. Twelve hundred and thirty degrees at half past ten, and the shed is the warmest room in town.

Nobody opens anything until I say so. That includes you, Tomás.`,
    likes: 10,
  },
  { by: 'tomas', at: [17, '22:55'], text: 'I only asked what would happen.', likes: 9 },
  {
    by: 'hana',
    at: [14, '09:10'],
    text: `Opened it.

Ninety-one in, eighty-four out, which is our best yet. The blues ran a little on the top shelf and are \
better for it. The ash glaze on the lower ones looks like the river in March.

Lost: five cups that leaned on each other, one vase that was never going to stand, and Ben's bread crock, \
which is now a very handsome bread dish.

First out, as always, was the smallest bowl. It goes to whoever carried the most wood, and that was 𠮷平さん \
again. Come for the rest before Thursday; after that I start eating from them.`,
    pictures: [
      [
        'kiln',
        0,
        'The open kiln, four shelves of bowls still warm, and the smallest bowl on the floor in front',
      ],
      ['bowls'],
      ['bowls', 5, null],
    ],
    likes: 19,
  },
  { by: 'ben', at: [14, '09:40'], text: 'It was always meant to be a dish.', likes: 15 },
]
