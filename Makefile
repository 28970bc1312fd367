# Thin front of CMake.
all:
	cmake -S . -B build && cmake --build build -j2
